import { createHmac } from "node:crypto";

/**
 * HMAC-SHA256 over a JSON value whose keys are sorted: the same for equal values, whatever order they came
 * in. Without the key nobody can tell from a fingerprint what a person's data are.
 */
export function fingerprint(value: unknown, key: string | Buffer): Buffer {
  return createHmac("sha256", key).update(JSON.stringify(value, sortKeys)).digest();
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
