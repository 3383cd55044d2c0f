import { keyOf, type WrappedKey } from "../encryption/data-key.ts";
import { type AssociatedData, decrypt, encrypt } from "../encryption/encrypt.ts";
import type { KeyRing } from "../encryption/key-ring.ts";
import { decryptData, encryptData } from "../encryption/personal-data.ts";

/** An endpoint and its platform. */
export interface EndpointRef {
  platformId: string;
  endpointId: string;
}

/** Wraps an endpoint's data key under the ring's current version. */
export function wrapEndpointKey(key: Buffer, endpoint: EndpointRef, ring: KeyRing): WrappedKey {
  const keyVersion = ring.current;
  return { dataKey: encrypt(key, keyOf(ring, keyVersion), keyData(endpoint, keyVersion)), keyVersion };
}

/** @throws Failure SERVICE_UNAVAILABLE where the ring cannot decrypt it. */
export function unwrapEndpointKey(wrapped: WrappedKey, endpoint: EndpointRef, ring: KeyRing): Buffer {
  const { dataKey, keyVersion } = wrapped;
  return decrypt(dataKey, keyOf(ring, keyVersion), keyData(endpoint, keyVersion));
}

/**
 * Wraps an endpoint's data key again under the ring's current version.
 * @throws Failure SERVICE_UNAVAILABLE where the ring cannot decrypt it.
 */
export function rewrapEndpointKey(wrapped: WrappedKey, endpoint: EndpointRef, ring: KeyRing): WrappedKey {
  return wrapEndpointKey(unwrapEndpointKey(wrapped, endpoint, ring), endpoint, ring);
}

function keyData({ platformId, endpointId }: EndpointRef, keyVersion: number): AssociatedData {
  return { platformId, table: "webhook_endpoints", rowId: endpointId, keyVersion };
}

/** The URL and the signing secrets of an endpoint, encrypted together because both may contain credentials. */
export interface Target {
  url: string;
  secret: string;
  /** The secret before the last rotation; null if there is none or the rotation had no overlap. */
  previousSecret: string | null;
}

/** Encrypts a target under its endpoint's data key. */
export function encryptTarget(target: Target, dataKey: Buffer, endpoint: EndpointRef): Buffer {
  return encryptData(target, dataKey, rowOfEndpoint(endpoint));
}

/** The encrypted columns of an endpoint that is not deleted. */
export interface EncryptedTarget extends WrappedKey {
  encrypted: Buffer;
}

/** @throws Failure SERVICE_UNAVAILABLE where it cannot be decrypted. */
export function decryptTarget(
  { encrypted, ...wrapped }: EncryptedTarget,
  endpoint: EndpointRef,
  ring: KeyRing,
): Target {
  return decryptData<Target>(encrypted, unwrapEndpointKey(wrapped, endpoint, ring), rowOfEndpoint(endpoint));
}

const rowOfEndpoint = ({ platformId, endpointId }: EndpointRef) =>
  ({ platformId, table: "webhook_endpoints", rowId: endpointId }) as const;

/** An attempt, identified by its lease. */
interface AttemptRef {
  platformId: string;
  deliveryId: string;
  lease: number;
}

/** Encrypts the first bytes of a response under its endpoint's data key, as a response may contain personal data. */
export function encryptExcerpt(excerpt: string, dataKey: Buffer, attempt: AttemptRef): Buffer {
  return encryptData(excerpt, dataKey, rowOfAttempt(attempt));
}

/** @throws Failure SERVICE_UNAVAILABLE where it cannot be decrypted. */
export function decryptExcerpt(encrypted: Buffer, dataKey: Buffer, attempt: AttemptRef): string {
  return decryptData<string>(encrypted, dataKey, rowOfAttempt(attempt));
}

const rowOfAttempt = ({ platformId, deliveryId, lease }: AttemptRef) =>
  ({ platformId, table: "webhook_attempts", rowId: `${deliveryId}/${lease}` }) as const;
