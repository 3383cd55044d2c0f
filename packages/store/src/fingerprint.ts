import { createHash } from "node:crypto";

/** SHA-256 over a JSON value whose keys are sorted: the same for equal values, whatever order they came in. */
export function fingerprint(value: unknown): Buffer {
  return createHash("sha256").update(JSON.stringify(value, sortKeys)).digest();
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
