import { recordListQuery, recordPage } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { listUpTo } from "../operation/list-up-to.ts";
import { exampleSummary } from "./example.ts";

/** Lists the records that wait for a worker or an operator. */
export const listRecords = defineOperation({
  ...forOperators,
  id: "records.list",
  kind: "query",
  summary: "List waiting records",
  description:
    "Lists waiting records: held ones first, then unsettled ones, then those in review at the provider, each oldest " +
    "first.",
  input: recordListQuery,
  rules: [],
  output: recordPage,
  example: { input: {}, output: { records: [exampleSummary], more: false } },
  errors: [],
  audit: [],

  async run({ kycAdmin }, _call, { limit, ...filter }) {
    const { items, more } = await listUpTo(limit, (max) => kycAdmin.list({ ...filter, limit: max }));
    return { data: { records: items, more } };
  },
});
