import { type AssociatedData, decrypt, encrypt } from "./encrypt.ts";

/** A user keeps one data key for life: rewrapping it leaves the data under it unchanged. */
const keyVersion = 1;

type Row = Omit<AssociatedData, "keyVersion">;

/** Encrypts a JSON value under its user's data key, bound to its row. */
export function encryptData(value: unknown, dataKey: Buffer, row: Row): Buffer {
  return encrypt(Buffer.from(JSON.stringify(value)), dataKey, { ...row, keyVersion });
}

/**
 * Decrypts a JSON value that `encryptData` encrypted. Its type is trusted: authentic data was written by the service.
 * @throws Failure SERVICE_UNAVAILABLE where it cannot be decrypted.
 */
export function decryptData<T>(encrypted: Buffer, dataKey: Buffer, row: Row): T {
  return JSON.parse(decrypt(encrypted, dataKey, { ...row, keyVersion }).toString());
}
