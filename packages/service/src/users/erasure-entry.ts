import { isRecord } from "@cardbridge/domain";
import { rowHash } from "../audit/digest.ts";

/** One entry of the log of erasures. It has ids only, and no personal data. */
export interface ErasureEntry {
  /** Starts at 1, without gaps. */
  number: number;
  platformId: string;
  userId: string;
  at: Date;
  previousHash: Buffer;
  /** HMAC over all other fields. */
  hash: Buffer;
}

/** The hash before the first entry. */
export const firstHash = Buffer.alloc(32);

export function hashOfEntry(
  { hash: _, ...content }: Omit<ErasureEntry, "hash"> & { hash?: Buffer },
  key: Buffer,
) {
  return rowHash("erasure", content, key);
}

/** The name of an entry's object in the file store. Other databases may use the same store. */
export function nameOfEntry(databaseName: string, number: number): string {
  return `erasure_${databaseName}_${String(number).padStart(12, "0")}`;
}

/** The columns of an entry as JSON, for the file store and for the functions of the database. */
export function toColumns({ number, platformId, userId, at, previousHash, hash }: ErasureEntry) {
  return {
    number,
    platform_id: platformId,
    user_id: userId,
    at: at.toISOString(),
    previous_hash: previousHash.toString("hex"),
    hash: hash.toString("hex"),
  };
}

/** Reads the object of an entry. Undefined if it is not one, or not signed with this key. */
export function parseEntry(object: Uint8Array, key: Buffer): ErasureEntry | undefined {
  const columns = parse(Buffer.from(object).toString());
  if (!isRecord(columns)) return undefined;
  const { number, platform_id: platformId, user_id: userId, at, previous_hash, hash } = columns;
  const entry = {
    number: Number(number),
    platformId: String(platformId),
    userId: String(userId),
    at: new Date(String(at)),
    previousHash: Buffer.from(String(previous_hash), "hex"),
    hash: Buffer.from(String(hash), "hex"),
  };
  return hashOfEntry(entry, key).equals(entry.hash) ? entry : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
