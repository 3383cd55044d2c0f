import { keyOf, type WrappedKey } from "../encryption/data-key.ts";
import { type AssociatedData, decrypt, encrypt } from "../encryption/encrypt.ts";
import type { KeyRing } from "../encryption/key-ring.ts";

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
