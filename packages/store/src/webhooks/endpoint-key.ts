import { keyOf, type WrappedKey } from "../sealing/data-key.ts";
import type { KeyRing } from "../sealing/key-ring.ts";
import { type AssociatedData, seal, unseal } from "../sealing/seal.ts";

/** An endpoint and its platform. */
export interface EndpointRef {
  platformId: string;
  endpointId: string;
}

/** Wraps an endpoint's data key under the ring's current version. */
export function wrapEndpointKey(key: Buffer, endpoint: EndpointRef, ring: KeyRing): WrappedKey {
  const keyVersion = ring.current;
  return { dataKey: seal(key, keyOf(ring, keyVersion), keyData(endpoint, keyVersion)), keyVersion };
}

/** @throws Failure SERVICE_UNAVAILABLE where the ring does not decrypt it. */
export function unwrapEndpointKey(wrapped: WrappedKey, endpoint: EndpointRef, ring: KeyRing): Buffer {
  const { dataKey, keyVersion } = wrapped;
  return unseal(dataKey, keyOf(ring, keyVersion), keyData(endpoint, keyVersion));
}

/**
 * Wraps an endpoint's data key again, under the ring's current version.
 * @throws Failure SERVICE_UNAVAILABLE where the ring does not decrypt it.
 */
export function rewrapEndpointKey(wrapped: WrappedKey, endpoint: EndpointRef, ring: KeyRing): WrappedKey {
  return wrapEndpointKey(unwrapEndpointKey(wrapped, endpoint, ring), endpoint, ring);
}

function keyData({ platformId, endpointId }: EndpointRef, keyVersion: number): AssociatedData {
  return { platformId, table: "webhook_endpoints", rowId: endpointId, keyVersion };
}
