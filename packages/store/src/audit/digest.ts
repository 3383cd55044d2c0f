import { createHmac } from "node:crypto";
import type { auditEntries, auditSeals } from "../schema.ts";

/** An entry as it is sealed; whose it is stands in the seal. */
export type Entry = Omit<typeof auditEntries.$inferSelect, "platformId">;
export type Seal = typeof auditSeals.$inferSelect;

/** HMAC-SHA256 over entries in their order. */
export function digestOf(entries: readonly Entry[], key: Buffer): Buffer {
  const hmac = createHmac("sha256", key).update(framed("entries"));
  for (const entry of entries) hmac.update(bytesOf(entry));
  return hmac.digest();
}

/** HMAC-SHA256 over all that a seal says. */
export function hashOf(seal: Omit<Seal, "hash">, key: Buffer): Buffer {
  return createHmac("sha256", key).update(framed("seal")).update(bytesOf(seal)).digest();
}

/**
 * A row as bytes: how many columns have a value, and those by name. What has none is left out, so that
 * a column that is added one day leaves old seals as they are.
 */
function bytesOf(row: object): Buffer {
  const said = Object.entries(row).filter(([, value]) => value !== null);
  const sorted = said.sort(([a], [b]) => (a < b ? -1 : 1));
  return framed(String(said.length), ...sorted.flatMap(([name, value]) => [name, textOf(value)]));
}

function textOf(value: unknown): string {
  if (value instanceof Date) return String(value.getTime());
  return Buffer.isBuffer(value) ? value.toString("hex") : String(value);
}

/** Texts one after the other, each behind its length: no two lists of them give the same bytes. */
function framed(...texts: string[]): Buffer {
  return Buffer.concat(
    texts.flatMap((text) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(Buffer.byteLength(text));
      return [length, Buffer.from(text)];
    }),
  );
}
