import { type AssociatedData, decrypt, encrypt } from "./encrypt.ts";

/** A user keeps the same data key until erasure: rewrapping the key does not change the data encrypted under it. */
const keyVersion = 1;

type Row = Omit<AssociatedData, "keyVersion">;

/** Encrypts a JSON value under its user's data key, bound to its row. */
export function encryptData(value: unknown, dataKey: Buffer, row: Row): Buffer {
  return encrypt(Buffer.from(JSON.stringify(value)), dataKey, { ...row, keyVersion });
}

/**
 * Decrypts a JSON value that `encryptData` encrypted. Its type is not validated: only the service can encrypt.
 * @throws Failure SERVICE_UNAVAILABLE where it cannot be decrypted.
 */
export function decryptData<T>(encrypted: Buffer, dataKey: Buffer, row: Row): T {
  return JSON.parse(decrypt(encrypted, dataKey, { ...row, keyVersion }).toString());
}
