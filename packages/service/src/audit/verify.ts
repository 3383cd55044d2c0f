import { auditVerification, auditVerified } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";

/** Verifies one batch of a platform's checkpoints and their entries. */
export const verifyAudit = defineOperation({
  ...forOperators("ops.audit"),
  reach: "owner",
  id: "audit.verify",
  kind: "read",
  summary: "Verify the audit",
  description:
    "Verifies the next checkpoints of a platform and their entries. Call again with `next` as `after` until `next` " +
    "is null.",
  input: auditVerification,
  rules: [],
  output: auditVerified,
  example: {
    input: { platformId: "plt_01jexample0000000000000000" },
    output: { checkpoints: 0, entries: 0, anchor: null, last: null, problems: [], next: null, pending: 0 },
  },
  errors: [],
  audit: [],

  async run({ audit }, _call, { platformId, ...from }) {
    return { data: await audit.verify(platformId, from) };
  },
});
