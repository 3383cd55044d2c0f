import { type Home, open, seal } from "./seal.ts";

/** A user has one data key for life: rotating the key ring wraps it anew and leaves what it seals alone. */
const keyVersion = 1;

type Row = Omit<Home, "keyVersion">;

/** Seals a JSON value under its user's data key, as one blob of its row. */
export function sealData(value: unknown, dataKey: Buffer, row: Row): Buffer {
  return seal(Buffer.from(JSON.stringify(value)), dataKey, { ...row, keyVersion });
}

/**
 * The JSON value that `sealData` was given: what is authentic was written here, so its type is trusted.
 * @throws Failure SERVICE_UNAVAILABLE where it cannot be opened.
 */
export function openData<T>(sealed: Buffer, dataKey: Buffer, row: Row): T {
  return JSON.parse(open(sealed, dataKey, { ...row, keyVersion }).toString());
}
