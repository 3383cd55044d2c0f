import type { WrappedKey } from "../sealing/data-key.ts";
import type { KeyRing } from "../sealing/key-ring.ts";
import { sealData, unsealData } from "../sealing/personal-data.ts";
import { type EndpointRef, unwrapEndpointKey } from "./endpoint-key.ts";

/** Where deliveries go and what signs them: encrypted together, because either may contain credentials. */
export interface Target {
  url: string;
  secret: string;
  /** The secret before the last rotation; null without one, or if it ended at once. */
  previousSecret: string | null;
}

/** Encrypts a target under its endpoint's data key. */
export function sealTarget(target: Target, dataKey: Buffer, endpoint: EndpointRef): Buffer {
  return sealData(target, dataKey, rowOf(endpoint));
}

/** The sealed columns of an endpoint that is not deleted. */
export interface SealedTarget extends WrappedKey {
  sealed: Buffer;
}

/** @throws Failure SERVICE_UNAVAILABLE where it cannot be decrypted. */
export function unsealTarget(
  { sealed, ...wrapped }: SealedTarget,
  endpoint: EndpointRef,
  ring: KeyRing,
): Target {
  return unsealData<Target>(sealed, unwrapEndpointKey(wrapped, endpoint, ring), rowOf(endpoint));
}

const rowOf = ({ platformId, endpointId }: EndpointRef) =>
  ({ platformId, table: "webhook_endpoints", rowId: endpointId }) as const;
