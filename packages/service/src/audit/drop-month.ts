import type { AuditMonths } from "@cardbridge/domain";
import { withConnection } from "../database/connect.ts";
import { migrationTransaction } from "../database/migration-transaction.ts";

/** How long the drop waits for calls that use the audit. New calls wait behind it, and then it makes a pause. */
const tableLock = "100ms";

/**
 * Drops exported months as the owner of the tables; see the port for the contract.
 * @param ownerUrl returns the owner's URL, or throws if there is none
 */
export function auditMonths(ownerUrl: () => string): AuditMonths {
  return {
    drop: async (month) =>
      withConnection(ownerUrl(), (client) =>
        migrationTransaction(
          client,
          `The month ${month}`,
          async () => {
            const { rows } = await client.query<{ problem: string | null }>(
              "select drop_audit_month($1::date) as problem",
              [`${month}-01`],
            );
            return rows[0]?.problem ?? null;
          },
          { tableLock },
        ),
      ),
  };
}
