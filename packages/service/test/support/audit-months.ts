import { createHash } from "node:crypto";
import { type AuditFile, defaultPolicies } from "@cardbridge/domain";
import { dropAudit } from "../../src/audit/drop.ts";
import { withConnection } from "../../src/database/connect.ts";
import { tableChanges } from "../../src/database.ts";
import { operatorCall } from "./calls.ts";
import type { World } from "./world.ts";

/** The database has a rule of its own about months that are not over. */
const later = { ...defaultPolicies, now: () => new Date("2999-01-01T00:00:00Z") };

/** The month before the present one, or earlier ones, in UTC. */
export function pastMonth(ago = 1): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago)).toISOString().slice(0, 7);
}

/** Months of the audit in the past, and files in memory. */
export function auditMonthsWorld({ urls, audit, ports }: Pick<World, "urls" | "audit" | "ports">) {
  const admin = async (text: string, values: unknown[] = []) =>
    (await withConnection(urls.adminUrl, (client) => client.query(text, values))).rows;
  const files = new Map<string, string>();
  return {
    admin,
    files,
    /** Creates the partition of a past month. */
    async createMonth(month: string): Promise<void> {
      const name = `audit_entries_${month.replace("-", "_")}`;
      await withConnection(urls.ownerUrl, (client) =>
        client.query(
          `create table ${name} partition of audit_entries
           for values from ('${month}-01Z') to ('${nextMonth(month)}-01Z')`,
        ),
      );
    },
    /** Moves the platform's present entries to the middle of a month. */
    moveTo: (platformId: string, month: string) =>
      admin(
        "update audit_entries set at = $2::timestamptz + (at - date_trunc('day', at)) where platform_id = $1 and at > now() - interval '1 day'",
        [platformId, `${month}-15Z`],
      ),
    exportMonth: (platformId: string, month: string) =>
      audit.exportMonth(platformId, { month, actor: "claim:ada" }, async () =>
        memoryFile(files, platformId, month),
      ),
    /** Why a month was not dropped; null if it was. */
    drop: (month: string): Promise<string | null> =>
      dropAudit(later)
        .execute({ ...ports, changeTables: tableChanges(() => urls.ownerUrl) }, operatorCall, { month })
        .then(
          () => null,
          (error) => error.details?.violations?.[0].message ?? Promise.reject(error),
        ),
    partitions: async () =>
      (
        await admin(
          "select inhrelid::regclass::text as name from pg_inherits where inhparent = 'audit_entries'::regclass",
        )
      ).map(({ name }) => name),
  };
}

export function nextMonth(month: string): string {
  const start = new Date(`${month}-01T00:00:00Z`);
  return new Date(start.setUTCMonth(start.getUTCMonth() + 1)).toISOString().slice(0, 7);
}

function memoryFile(files: Map<string, string>, platformId: string, month: string): AuditFile {
  let text = "";
  return {
    append: async (more) => {
      text += more;
    },
    finish: async () => {
      files.set(`${platformId} ${month}`, text);
      return createHash("sha256").update(text).digest("hex");
    },
    discard: async () => {},
  };
}
