import type { CheckpointReference } from "@cardbridge/domain";
import { type Checkpoint, digestOf, type Entry, hashOf, merkleRootOf } from "./digest.ts";
import type { AuditExport } from "./exports.ts";
import type { Position } from "./statements.ts";

/** A checkpoint and the previous checkpoint. A checkpoint is genuine when its hash is valid. */
export interface Link {
  checkpoint: Checkpoint;
  isGenuine: boolean;
  previous: Pick<Checkpoint, "number" | "hash" | "lastTxid" | "lastId"> & { isGenuine: boolean };
}

/** Whether the hash of a checkpoint is valid, which means that no column was changed after its creation. */
export function isGenuine({ hash, ...content }: Checkpoint, key: Buffer): boolean {
  return hashOf(content, key).equals(hash);
}

/**
 * The position after which the entries of a checkpoint start: the end of the previous checkpoint, so that no entry
 * can lie between two checkpoints. If the previous checkpoint is missing or changed, the first entry decides.
 */
export function startOf({ checkpoint, previous }: Link): Position {
  return checkpoint.number === previous.number + 1 && previous.isGenuine
    ? { txid: previous.lastTxid, id: previous.lastId }
    : { txid: checkpoint.firstTxid, id: checkpoint.firstId - 1n };
}

/** The problems of a checkpoint and of its position in the chain. */
export function problemsOfCheckpoint({ checkpoint, previous, isGenuine: genuine }: Link): string[] {
  const missing = problemsOfGap(previous.number, checkpoint.number);
  const linked = checkpoint.previousHash.equals(previous.hash);
  if (!genuine) return [...missing, `Checkpoint ${checkpoint.number} was changed.`];
  if (missing.length > 0) return missing;
  if (linked || !previous.isGenuine) return [];
  return [
    `Checkpoint ${checkpoint.number} does not follow checkpoint ${previous.number}: one of them belongs to another chain.`,
  ];
}

function problemsOfGap(before: number, after: number): string[] {
  const [first, last] = [before + 1, after - 1];
  if (first > last) return [];
  return first === last
    ? [`Checkpoint ${first} is missing.`]
    : [`Checkpoints ${first} to ${last} are missing.`];
}

/** The problems of the entries in the range of a genuine checkpoint. */
export function problemsOfEntries(checkpoint: Checkpoint, entries: readonly Entry[], key: Buffer): string[] {
  const under = `Under checkpoint ${checkpoint.number}, which covers ${checkpoint.count},`;
  const missing = checkpoint.count - entries.length;
  if (missing > 0) return [`${under} ${missing === 1 ? "an entry is" : `${missing} entries are`} missing.`];
  if (missing < 0) return [`${under} entries were added.`];
  if (!digestOf(entries, key).equals(checkpoint.digest)) return [`${under} an entry was changed.`];
  const isOfEntries = checkpoint.root?.equals(merkleRootOf(checkpoint.platformId, entries)) ?? true;
  return isOfEntries ? [] : [`${under} the root is not that of the entries.`];
}

/** The problems of a checkpoint that was reported earlier. `checkpoint` is undefined where its number is missing. */
export function problemsOfKnown(known: CheckpointReference, checkpoint: Checkpoint | undefined): string[] {
  if (!checkpoint)
    return [`Checkpoint ${known.number}, which was known, is missing: the end of the chain was cut off.`];
  if (checkpoint.hash.toString("hex") === known.hash) return [];
  return [`Checkpoint ${known.number} differs from the known checkpoint: the chain was rewritten.`];
}

/** The problems of the checkpoint from which a verification starts after months were dropped. */
export function problemsOfAnchor(
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
export function problemsOfDropped(
  known: CheckpointReference,
  { lastNumber, lastHash }: AuditExport,
): string[] {
  if (known.number > lastNumber) return [];
  if (known.number < lastNumber)
    return [`Checkpoint ${known.number} was dropped with its month: compare it with the exported file.`];
  return known.hash === lastHash.toString("hex")
    ? []
    : [`Checkpoint ${known.number} differs from the known checkpoint: the chain was rewritten.`];
}
