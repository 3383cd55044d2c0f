import { createHmac } from "node:crypto";
import type { auditCheckpoints, auditEntries } from "../schema.ts";

/** An entry as it is checkpointed; its checkpoint names the platform. */
export type Entry = Omit<typeof auditEntries.$inferSelect, "platformId">;
export type Checkpoint = typeof auditCheckpoints.$inferSelect;

/** HMAC-SHA256 over entries in their order. */
export function digestOf(entries: readonly Entry[], key: Buffer): Buffer {
  const hmac = createHmac("sha256", key).update(lengthPrefixed("entries"));
  for (const entry of entries) hmac.update(encode(entry));
  return hmac.digest();
}

/** HMAC-SHA256 over all other columns of a checkpoint. */
export function hashOf(checkpoint: Omit<Checkpoint, "hash">, key: Buffer): Buffer {
  return createHmac("sha256", key).update(lengthPrefixed("checkpoint")).update(encode(checkpoint)).digest();
}

/**
 * Encodes a row: the number of columns that have a value, then each by its name. Columns without a value are left
 * out, so that a column added later does not change existing checkpoints.
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

/** Each text behind its length in four bytes: two lists of texts never give equal bytes. */
function lengthPrefixed(...texts: string[]): Buffer {
  return Buffer.concat(
    texts.flatMap((text) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(Buffer.byteLength(text));
      return [length, Buffer.from(text)];
    }),
  );
}
