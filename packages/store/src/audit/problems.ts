import type { AuditSeal } from "@cardbridge/domain";
import { digestOf, type Entry, hashOf, type Seal } from "./digest.ts";
import type { Position } from "./statements.ts";

/** A seal with the one before it, and whether it is as it was written. */
export interface Link {
  seal: Seal;
  isGenuine: boolean;
  previous: Pick<Seal, "number" | "hash" | "lastTxid" | "lastId"> & { isGenuine: boolean };
}

/** Whether a seal says what it said when it was made. */
export function isGenuine({ hash, ...said }: Seal, key: Buffer): boolean {
  return hashOf(said, key).equals(hash);
}

/**
 * Behind which entry those of a seal begin: nothing may be between two seals. Where the one before is missing
 * or was changed, its end is not known, and the seal's own beginning has to do.
 */
export function beginsBehind({ seal, previous }: Link): Position {
  return follows(seal, previous) && previous.isGenuine
    ? { txid: previous.lastTxid, id: previous.lastId }
    : { txid: seal.firstTxid, id: seal.firstId - 1n };
}

/** What is wrong with a seal and its place in the chain. */
export function problemsOfSeal({ seal, previous, isGenuine: genuine }: Link): string[] {
  const [from, to] = [previous.number + 1, seal.number - 1];
  const missing = from === to ? [`Seal ${from} is missing.`] : [`Seals ${from} to ${to} are missing.`];
  const linked = seal.previousHash.equals(previous.hash);
  if (!genuine) return [...(from > to ? [] : missing), `Seal ${seal.number} was changed.`];
  if (from <= to) return missing;
  if (linked || !previous.isGenuine) return [];
  return [`Seal ${seal.number} does not follow seal ${previous.number}: one of them is of another chain.`];
}

/** What is wrong with the entries that are where a genuine seal's should be. */
export function problemsOfEntries(seal: Seal, entries: readonly Entry[], key: Buffer): string[] {
  const under = `Under seal ${seal.number}, which covers ${seal.count},`;
  const missing = seal.count - entries.length;
  if (missing > 0) return [`${under} ${missing === 1 ? "an entry is" : `${missing} entries are`} missing.`];
  if (missing < 0) return [`${under} entries were added.`];
  return digestOf(entries, key).equals(seal.digest) ? [] : [`${under} an entry was changed.`];
}

/** What is wrong when a seal that was told earlier is looked for. */
export function problemsOfKnown(
  known: Pick<AuditSeal, "number" | "hash">,
  found: Seal | undefined,
): string[] {
  if (!found) return [`Seal ${known.number}, which was known, is missing: the end of the chain was cut off.`];
  if (found.hash.toString("hex") === known.hash) return [];
  return [`Seal ${known.number} is not the one that was known: the chain was written anew.`];
}

function follows(seal: Seal, previous: Link["previous"]): boolean {
  return seal.number === previous.number + 1;
}
