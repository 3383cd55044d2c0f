import type { SealReference } from "@cardbridge/domain";
import { digestOf, type Entry, hashOf, type Seal } from "./digest.ts";
import type { Position } from "./statements.ts";

/** A seal with the seal before it; a seal is genuine when its hash is valid. */
export interface Link {
  seal: Seal;
  isGenuine: boolean;
  previous: Pick<Seal, "number" | "hash" | "lastTxid" | "lastId"> & { isGenuine: boolean };
}

/** Whether the hash of a seal is valid: no column was changed since it was made. */
export function isGenuine({ hash, ...content }: Seal, key: Buffer): boolean {
  return hashOf(content, key).equals(hash);
}

/**
 * The position that the entries of a seal begin behind: the end of the previous seal, so that no entry can lie
 * between two seals. Where the previous seal is missing or changed, the seal's own first entry is used.
 */
export function startOf({ seal, previous }: Link): Position {
  return seal.number === previous.number + 1 && previous.isGenuine
    ? { txid: previous.lastTxid, id: previous.lastId }
    : { txid: seal.firstTxid, id: seal.firstId - 1n };
}

/** The problems of a seal itself and of its place in the chain. */
export function problemsOfSeal({ seal, previous, isGenuine: genuine }: Link): string[] {
  const missing = problemsOfGap(previous.number, seal.number);
  const linked = seal.previousHash.equals(previous.hash);
  if (!genuine) return [...missing, `Seal ${seal.number} was changed.`];
  if (missing.length > 0) return missing;
  if (linked || !previous.isGenuine) return [];
  return [`Seal ${seal.number} does not follow seal ${previous.number}: one of them is of another chain.`];
}

function problemsOfGap(before: number, after: number): string[] {
  const [first, last] = [before + 1, after - 1];
  if (first > last) return [];
  return first === last ? [`Seal ${first} is missing.`] : [`Seals ${first} to ${last} are missing.`];
}

/** The problems of the entries in the range of a genuine seal. */
export function problemsOfEntries(seal: Seal, entries: readonly Entry[], key: Buffer): string[] {
  const under = `Under seal ${seal.number}, which covers ${seal.count},`;
  const missing = seal.count - entries.length;
  if (missing > 0) return [`${under} ${missing === 1 ? "an entry is" : `${missing} entries are`} missing.`];
  if (missing < 0) return [`${under} entries were added.`];
  return digestOf(entries, key).equals(seal.digest) ? [] : [`${under} an entry was changed.`];
}

/** The problems of a seal that was reported earlier; undefined where the chain has none of its number. */
export function problemsOfKnown(known: SealReference, seal: Seal | undefined): string[] {
  if (!seal) return [`Seal ${known.number}, which was known, is missing: the end of the chain was cut off.`];
  if (seal.hash.toString("hex") === known.hash) return [];
  return [`Seal ${known.number} is not the known one: the chain was rewritten.`];
}
