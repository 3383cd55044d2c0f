import { auditDropInput, auditDropped, Failure, monthIsOver, type Policies } from "@cardbridge/domain";
import { forCommandLine } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";

/** Drops an exported month of the audit of all platforms (gap G39). */
export const dropAudit = ({ now }: Policies) =>
  defineOperation({
    ...forCommandLine,
    id: "audit.drop",
    kind: "write",
    summary: "Drop a month of the audit",
    description:
      "Drops the oldest month of the audit, of all platforms, if all of its entries were exported. Verification then " +
      "starts at the last exported checkpoint. Calls go on meanwhile. It connects as the owner of the tables.",
    input: auditDropInput,
    rules: [monthIsOver(now)],
    output: auditDropped,
    example: { input: { month: "2026-01" }, output: { month: "2026-01" } },
    errors: [],
    audit: ["done"],

    async run({ auditMonths }, _call, { month }) {
      const problem = await auditMonths.drop(month);
      if (problem !== null) {
        const violation = { path: ["month"], rule: "month-exported", message: problem };
        throw new Failure("INVALID_INPUT", { violations: [violation] });
      }
      return { data: { month }, subject: month };
    },
  });
