import type { WrappedKey } from "../encryption/data-key.ts";
import type { KeyRing } from "../encryption/key-ring.ts";
import { decryptData, encryptData } from "../encryption/personal-data.ts";
import { type EndpointRef, unwrapEndpointKey } from "./endpoint-key.ts";

/** The URL and the signing secrets of an endpoint, encrypted together because both may contain credentials. */
export interface Target {
  url: string;
  secret: string;
  /** The secret before the last rotation; null if there is none or the rotation had no overlap. */
  previousSecret: string | null;
}

/** Encrypts a target under its endpoint's data key. */
export function encryptTarget(target: Target, dataKey: Buffer, endpoint: EndpointRef): Buffer {
  return encryptData(target, dataKey, rowOf(endpoint));
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
  return decryptData<Target>(encrypted, unwrapEndpointKey(wrapped, endpoint, ring), rowOf(endpoint));
}

const rowOf = ({ platformId, endpointId }: EndpointRef) =>
  ({ platformId, table: "webhook_endpoints", rowId: endpointId }) as const;
