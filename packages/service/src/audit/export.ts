import {
  type AuditFile,
  auditExported,
  auditExportInput,
  type ExportedFile,
  monthIsOver,
  type Policies,
} from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import { forCommandLine } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import type { Ports } from "../operation/ports.ts";
import { type Batch, readBatch } from "./batch.ts";
import { exportHashOf } from "./digest.ts";
import { type ExportRange, findExportRange, newExports } from "./exported-months.ts";

/** Exports a month of the audit of all platforms to files (gap G39). */
export const exportAudit = ({ now }: Policies) =>
  defineOperation({
    ...forCommandLine,
    id: "audit.export",
    kind: "write",
    summary: "Export a month of the audit",
    description:
      "Verifies a month of every platform's audit, and writes it to files of JSON lines, with the checkpoints that cover " +
      "it. An exported month can be dropped.",
    input: auditExportInput,
    rules: [monthIsOver(now)],
    output: auditExported,
    example: {
      input: { month: "2026-01", to: "/srv/audit" },
      output: {
        files: [
          {
            platformId: "plt_01jexample0000000000000000",
            file: "audit-2026-01-plt_01jexample0000000000000000.ndjson",
            checkpoints: 120,
            entries: 4_810,
            digest: "0".repeat(64),
          },
        ],
        problems: [],
      },
    },
    errors: [],
    audit: ["done"],

    async run(ports, { actor }, { month, to }) {
      const files: ExportedFile[] = [];
      const problems: string[] = [];
      for (const platformId of await auditedPlatforms(ports)) {
        const file = `audit-${month}-${platformId}.ndjson`;
        const exported = await exportMonth(ports, platformId, { month, actor }, () =>
          ports.auditArchive.open(to, file),
        );
        if (exported && "problem" in exported) problems.push(`${platformId}: ${exported.problem}`);
        else if (exported) files.push({ platformId, file, ...exported });
      }
      return { data: { files, problems }, subject: month };
    },
  });

/** The ids of all platforms, `internal` included. */
function auditedPlatforms({ database }: Ports): Promise<string[]> {
  return database.withoutPlatform(async (tx) => {
    const { rows } = await tx.execute<{ id: string }>(
      sql`select platform_id as id from list_audited_platforms()`,
    );
    return rows.map(({ id }) => id);
  });
}

/**
 * Verifies and exports the checkpoints of a platform's month with their entries, and records the export: those that
 * follow the last exported one, up to the last one with an entry of the month. A repetition exports the same ones. The
 * format is in docs/operate/retention.md.
 * @param open opens the file
 * @returns null if there are none
 */
export async function exportMonth(
  { database, keySet: { audit: key } }: Pick<Ports, "database" | "keySet">,
  platformId: string,
  { month, actor }: { month: string; actor: string },
  open: () => Promise<AuditFile>,
): Promise<Omit<ExportedFile, "platformId" | "file"> | { problem: string } | null> {
  const range = await database.asPlatform<ExportRange | { problem: string } | null>(platformId, (tx) =>
    findExportRange(tx, platformId, month),
  );
  if (range === null || "problem" in range) return range;
  const { first, last, recorded } = range;
  const file = await open();
  try {
    await file.append(lineOf({ format: "cardbridge-audit-1", platformId, month, first, last }));
    let entries = 0;
    let lastHash: Buffer = Buffer.alloc(0);
    for (let after = first - 1; after < last; ) {
      const from = { key, after, upTo: last };
      const batch = await database.asPlatform<Batch>(platformId, (tx) => readBatch(tx, platformId, from));
      const end = batch.checkpoints.at(-1);
      if (!end || batch.problems.length > 0)
        return { problem: `The audit is invalid. ${batch.problems[0] ?? `Checkpoint ${last} is missing.`}` };
      for (const [index, checkpoint] of batch.checkpoints.entries()) {
        const covered = batch.entries[index] ?? [];
        const lines = [lineOf({ checkpoint }), ...covered.map((entry) => lineOf({ entry }))];
        await file.append(lines.join(""));
        entries += covered.length;
      }
      after = end.number;
      lastHash = end.hash;
    }
    const digest = await file.finish();
    const content = {
      platformId,
      month: `${month}-01`,
      firstNumber: first,
      lastNumber: last,
      lastHash,
      entries,
      digest: Buffer.from(digest, "hex"),
      exportedBy: recorded?.exportedBy ?? actor,
    };
    const row = { ...content, hash: exportHashOf(content, key) };
    if (recorded && !recorded.hash.equals(row.hash))
      return { problem: "The entries differ from those of the earlier export of this month." };
    if (!recorded)
      await database.asPlatform(platformId, async (tx) => void (await tx.insert(newExports).values(row)));
    return { checkpoints: last - first + 1, entries, digest };
  } finally {
    await file.discard();
  }
}

/** A line of JSON. Columns without a value are left out, as in the hashes. */
function lineOf(value: object): string {
  const text = JSON.stringify(value, function (name, parsed) {
    const raw = (this as Record<string, unknown>)[name];
    if (raw === null) return undefined;
    if (typeof raw === "bigint") return String(raw);
    return Buffer.isBuffer(raw) ? raw.toString("hex") : parsed;
  });
  return `${text}\n`;
}
