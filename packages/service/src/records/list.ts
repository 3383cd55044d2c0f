import { attentionAfterSeconds, recordListQuery, recordPage } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { listUpTo } from "../operation/list-up-to.ts";
import { exampleSummary } from "./example.ts";
import { summaryFields } from "./record.ts";

/** Lists the records that wait for a worker or an operator. */
export const listRecords = defineOperation({
  ...forOperators("ops.records.read"),
  id: "records.list",
  kind: "read",
  summary: "List waiting records",
  description:
    "Lists waiting records: those that need attention first, then unresolved records, then records in review at " +
    "the provider, each oldest first.",
  input: recordListQuery,
  rules: [],
  output: recordPage,
  example: { input: {}, output: { records: [exampleSummary], more: false } },
  errors: ["PLATFORM_NOT_FOUND"],
  audit: [],

  async run({ database }, _call, { limit, platformId = null, needsAttention }) {
    // Records need attention if workers no longer attempt them, or if they have been unresolved for longer than this.
    const age = needsAttention ? `${attentionAfterSeconds} seconds` : null;
    const { items, more } = await listUpTo(limit, (max) =>
      database.withoutPlatform((tx) => {
        const waiting = sql`list_waiting(${age}::interval, ${platformId}::text, ${max}::integer)`;
        return tx.select(summaryFields).from(waiting);
      }),
    );
    return { data: { records: items, more } };
  },
});
