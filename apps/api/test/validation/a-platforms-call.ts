import type { Call } from "@cardbridge/operations";

/** A call of a platform's key. */
export const aPlatformsCall = (platformId: string, idempotencyKey?: string): Call => ({
  kind: "platform",
  platformId,
  scopes: new Set(["kyc:write", "kyc:read"]),
  actor: "key_1",
  requestId: "req_1",
  address: null,
  idempotencyKey,
});
