import { createHmac } from "node:crypto";
import { isRecord } from "@cardbridge/domain";

/**
 * HMAC-SHA256 of a JSON value with sorted object keys, so the order of keys does not change the fingerprint.
 * Without the key, a fingerprint does not reveal the value.
 */
export function fingerprint(value: unknown, key: string | Buffer): Buffer {
  return createHmac("sha256", key).update(JSON.stringify(value, sortKeys)).digest();
}

function sortKeys(_key: string, value: unknown): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
