import { attentionAfterSeconds, recordListQuery, recordPage } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { listUpTo } from "../operation/list-up-to.ts";
import { exampleSummary } from "./example.ts";

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
  errors: [],
  audit: [],

  async run({ kycAdmin }, _call, { limit, platformId, needsAttention }) {
    const unresolvedSeconds = needsAttention ? attentionAfterSeconds : undefined;
    const { items, more } = await listUpTo(limit, (max) =>
      kycAdmin.list({ unresolvedSeconds, platformId, limit: max }),
    );
    return { data: { records: items, more } };
  },
});
