import { auditListQuery, auditPage } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { exampleEntry } from "./example.ts";

/** Lists a platform's latest audit entries. */
export const listAudit = defineOperation({
  ...forOperators("ops.audit"),
  id: "audit.list",
  kind: "read",
  summary: "List audit entries",
  description: "Lists the latest audit entries of a platform, newest first, and says since when it has all.",
  input: auditListQuery,
  rules: [],
  output: auditPage,
  example: {
    input: { platformId: "plt_01jexample0000000000000000" },
    output: {
      since: null,
      entries: [exampleEntry],
    },
  },
  errors: [],
  audit: [],

  async run({ audit }, _call, { platformId, limit }) {
    const since = await audit.since(platformId);
    return { data: { since, entries: await audit.list(platformId, limit) } };
  },
});
