import { createHmac } from "node:crypto";
import { internalPlatformId } from "@cardbridge/domain";
import { persons } from "../database/schema.ts";
import { createDataKey, keyOf, type WrappedKey } from "../encryption/data-key.ts";
import { type AssociatedData, decrypt, encrypt } from "../encryption/encrypt.ts";
import type { KeyRing } from "../encryption/key-ring.ts";
import type { PersonalDataKeys } from "../encryption/keys.ts";
import { lengthPrefixed } from "../encryption/length-prefixed.ts";
import { decryptData, encryptData } from "../encryption/personal-data.ts";

/** The columns of a person that contain the name. */
interface NameColumns extends WrappedKey {
  encrypted: Buffer;
}

/** The columns of a person's encrypted name. */
export const encryptedName = {
  personId: persons.id,
  encrypted: persons.encrypted,
  dataKey: persons.dataKey,
  keyVersion: persons.keyVersion,
};

/** The keyed hash that finds a person: without the key, it does not reveal the subject. */
export function personIndex(
  { indexes }: Pick<PersonalDataKeys, "indexes">,
  { issuer, subject }: { issuer: string; subject: string },
): Buffer {
  return createHmac("sha256", indexes)
    .update(lengthPrefixed("person", issuer, subject))
    .digest();
}

/** Encrypts a name, or null, under a new data key. */
export function encryptName(name: string | null, personId: string, ring: KeyRing): NameColumns {
  const dataKey = createDataKey();
  return { encrypted: encryptData({ name }, dataKey, rowOf(personId)), ...wrap(dataKey, personId, ring) };
}

/**
 * Replaces the encrypted name of each row by the name.
 * @throws Failure SERVICE_UNAVAILABLE where a name cannot be decrypted.
 */
export function decryptNames<T extends NameColumns & { personId: string }>(
  rows: readonly T[],
  ring: KeyRing,
) {
  return rows.map(({ encrypted, dataKey, keyVersion, ...row }) => {
    const key = unwrap({ dataKey, keyVersion }, row.personId, ring);
    const { name } = decryptData<{ name: string | null }>(encrypted, key, rowOf(row.personId));
    return { ...row, name };
  });
}

/**
 * Wraps a person's data key again under the ring's current version.
 * @throws Failure SERVICE_UNAVAILABLE where the ring cannot decrypt it.
 */
export function rewrapPersonKey(wrapped: WrappedKey, personId: string, ring: KeyRing): WrappedKey {
  return wrap(unwrap(wrapped, personId, ring), personId, ring);
}

function wrap(dataKey: Buffer, personId: string, ring: KeyRing): WrappedKey {
  const keyVersion = ring.current;
  return {
    dataKey: encrypt(dataKey, keyOf(ring, keyVersion), { ...rowOf(personId), keyVersion }),
    keyVersion,
  };
}

function unwrap({ dataKey, keyVersion }: WrappedKey, personId: string, ring: KeyRing): Buffer {
  return decrypt(dataKey, keyOf(ring, keyVersion), { ...rowOf(personId), keyVersion });
}

/** A person belongs to no platform: the associated data names that of the internal apps. */
const rowOf = (rowId: string): Omit<AssociatedData, "keyVersion"> => ({
  platformId: internalPlatformId,
  table: "persons",
  rowId,
});
