import { createHmac } from "node:crypto";
import type { auditCheckpoints, auditEntries, auditExports } from "../database/schema.ts";
import { rootOf, treeOf } from "./merkle.ts";

/** An entry as a checkpoint covers it. The checkpoint contains the platform. */
export type Entry = Omit<typeof auditEntries.$inferSelect, "platformId">;
export type Checkpoint = typeof auditCheckpoints.$inferSelect;
type Export = Omit<typeof auditExports.$inferSelect, "exportedAt" | "droppedAt">;

/** HMAC-SHA256 over entries in their order. */
export function digestOf(entries: readonly Entry[], key: Buffer): Buffer {
  const hmac = createHmac("sha256", key).update(lengthPrefixed("entries"));
  for (const entry of entries) hmac.update(encode(entry));
  return hmac.digest();
}

/** The bytes of an entry in a checkpoint's Merkle tree. They need no key, so that anybody can verify them. */
export const leafOf = (platformId: string, entry: Entry): Buffer => encode({ platformId, ...entry });

/** The root of the Merkle tree over entries in their order. */
export function merkleRootOf(platformId: string, entries: readonly Entry[]): Buffer {
  return rootOf(treeOf(entries.map((entry) => leafOf(platformId, entry))));
}

/** HMAC-SHA256 over all other columns of a checkpoint. */
export function hashOf(checkpoint: Omit<Checkpoint, "hash">, key: Buffer): Buffer {
  return rowHash("checkpoint", checkpoint, key);
}

/** HMAC-SHA256 over a row of this kind. */
export function rowHash(kind: string, row: object, key: Buffer): Buffer {
  return createHmac("sha256", key).update(lengthPrefixed(kind)).update(encode(row)).digest();
}

/** HMAC-SHA256 over the columns of the record of an export that its insert sets. */
export function exportHashOf(content: Omit<Export, "hash">, key: Buffer): Buffer {
  return createHmac("sha256", key).update(lengthPrefixed("export")).update(encode(content)).digest();
}

/**
 * Encodes a row as the number of columns that have a value, followed by each column's name and value. It omits
 * columns without a value, so that a column added later does not change existing checkpoints.
 */
function encode(row: object): Buffer {
  const columns = Object.entries(row)
    .filter(([, value]) => value !== null)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return lengthPrefixed(String(columns.length), ...columns.flatMap(([name, value]) => [name, textOf(value)]));
}

function textOf(value: unknown): string {
  if (value instanceof Date) return String(value.getTime());
  return Buffer.isBuffer(value) ? value.toString("hex") : String(value);
}

/** Prefixes each text with its length in four bytes, so two different lists never give equal bytes. */
function lengthPrefixed(...texts: string[]): Buffer {
  return Buffer.concat(
    texts.flatMap((text) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(Buffer.byteLength(text));
      return [length, Buffer.from(text)];
    }),
  );
}
