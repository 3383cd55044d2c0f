import { auditDropInput, auditDropped, Failure, monthIsOver, type Policies } from "@cardbridge/domain";
import { forCommandLine } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";

/** How long the drop waits for calls that use the audit. New calls wait behind it, and then it makes a pause. */
const tableLock = "100ms";

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

    async run({ changeTables }, _call, { month }) {
      const problem = await changeTables(
        `The month ${month}`,
        async (client) => {
          const { rows } = await client.query<{ problem: string | null }>(
            "select drop_audit_month($1::date) as problem",
            [`${month}-01`],
          );
          return rows[0]?.problem ?? null;
        },
        { tableLock },
      );
      if (problem !== null) {
        const violation = { path: ["month"], rule: "month-exported", message: problem };
        throw new Failure("INVALID_INPUT", { violations: [violation] });
      }
      return { data: { month }, subject: month };
    },
  });
