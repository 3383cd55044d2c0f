import {
  type AuditVerified,
  auditVerification,
  auditVerified,
  type CheckpointReference,
} from "@cardbridge/domain";
import { and, sql } from "drizzle-orm";
import { auditEntries } from "../database/schema.ts";
import { perConnection, type Tx } from "../database/statements.ts";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import type { Ports } from "../operation/ports.ts";
import { isGenuine, readBatch } from "./batch.ts";
import { beginning } from "./checkpoint.ts";
import type { Checkpoint } from "./digest.ts";
import { isBehind, isOfPlatform } from "./entries.ts";
import { type AuditExport, isGenuineExport, lastExport } from "./exported-months.ts";

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
  errors: ["PLATFORM_NOT_FOUND"],
  audit: [],

  run: async (ports, { platformId }, from) => ({ data: await verifyAuditBatch(ports, platformId, from) }),
});

interface Verification {
  /** The number of the last verified checkpoint; 0 to start from the beginning. */
  after: number;
  known?: CheckpointReference | undefined;
}

/**
 * Verifies a platform's next checkpoints against their entries. Reads checkpoint `after` again as the first link. After
 * months were dropped, the verification starts at the last checkpoint of their export.
 */
export function verifyAuditBatch(
  { database, keySet: { audit: key } }: Pick<Ports, "database" | "keySet">,
  platformId: string,
  { after: requested, known }: Verification,
): Promise<AuditVerified> {
  return database.asPlatform<AuditVerified>(platformId, async (tx) => {
    const dropped = await lastExport(tx, platformId, { dropped: true });
    const anchor = dropped && isGenuineExport(dropped, key) ? dropped : undefined;
    const after = Math.max(requested, anchor?.lastNumber ?? 0);
    const batch = await readBatch(tx, platformId, { key, after });
    const { previous, checkpoints, entries, hasMore } = batch;

    const problems = [...problemsOfAnchor(dropped, previous, { anchor, after, key }), ...batch.problems];
    const last = checkpoints.at(-1);
    const isReached = (number: number) => number > after && (!hasMore || number <= (last?.number ?? 0));
    if (known && isReached(known.number)) {
      const checkpoint = checkpoints.find(({ number }) => number === known.number);
      problems.push(...problemsOfKnown(known, checkpoint));
    }
    if (known && anchor && after === anchor.lastNumber) problems.push(...problemsOfDropped(known, anchor));
    if (!last && after > (previous?.number ?? 0)) {
      problems.push(`Checkpoint ${after}, which was verified, is missing: the end of the chain was cut off.`);
    }
    return {
      checkpoints: checkpoints.length,
      entries: entries.reduce((sum, covered) => sum + covered.length, 0),
      anchor: anchor ? { number: anchor.lastNumber, hash: anchor.lastHash.toString("hex") } : null,
      last: last ? { number: last.number, hash: last.hash.toString("hex") } : null,
      problems,
      next: hasMore && last ? last.number : null,
      pending: hasMore ? null : await countBehind(tx, platformId, last ?? previous ?? beginning),
    };
  });
}

const statements = perConnection((tx) => ({
  countBehind: tx
    .select({ count: sql<number>`count(*)::int` })
    .from(auditEntries)
    .where(and(isOfPlatform, isBehind))
    .prepare("audit_count_behind"),
}));

async function countBehind(
  tx: Tx,
  platformId: string,
  { lastTxid: txid, lastId: id }: Pick<Checkpoint, "lastTxid" | "lastId">,
): Promise<number> {
  const [row] = await statements(tx).countBehind.execute({ platformId, txid, id });
  return row?.count ?? 0;
}

/** The problems of a checkpoint that was reported earlier. `checkpoint` is undefined where its number is missing. */
function problemsOfKnown(known: CheckpointReference, checkpoint: Checkpoint | undefined): string[] {
  if (!checkpoint)
    return [`Checkpoint ${known.number}, which was known, is missing: the end of the chain was cut off.`];
  if (checkpoint.hash.toString("hex") === known.hash) return [];
  return [`Checkpoint ${known.number} differs from the known checkpoint: the chain was rewritten.`];
}

/** The problems of the checkpoint from which a verification starts after months were dropped. */
function problemsOfAnchor(
  dropped: AuditExport | undefined,
  checkpoint: Checkpoint | undefined,
  { anchor, after, key }: { anchor: AuditExport | undefined; after: number; key: Buffer },
): string[] {
  if (!dropped) return [];
  if (!anchor) return [`The record of the export of ${dropped.month.slice(0, 7)} was changed.`];
  if (after > anchor.lastNumber) return [];
  const isKept =
    checkpoint?.number === anchor.lastNumber &&
    checkpoint.hash.equals(anchor.lastHash) &&
    isGenuine(checkpoint, key);
  return isKept ? [] : [`Checkpoint ${anchor.lastNumber}, the last one of the dropped months, was changed.`];
}

/** The problems of a known checkpoint that is not after the anchor. */
function problemsOfDropped(known: CheckpointReference, { lastNumber, lastHash }: AuditExport): string[] {
  if (known.number > lastNumber) return [];
  if (known.number < lastNumber)
    return [`Checkpoint ${known.number} was dropped with its month: compare it with the exported file.`];
  return known.hash === lastHash.toString("hex")
    ? []
    : [`Checkpoint ${known.number} differs from the known checkpoint: the chain was rewritten.`];
}
