import { createHmac } from "node:crypto";
import { internalPlatformId } from "@cardbridge/domain";
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

/** @throws Failure SERVICE_UNAVAILABLE where the name cannot be decrypted. */
export function decryptName({ encrypted, ...key }: NameColumns, personId: string, ring: KeyRing) {
  const dataKey = unwrap(key, personId, ring);
  return decryptData<{ name: string | null }>(encrypted, dataKey, rowOf(personId)).name;
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
