import { internalPlatformId, type Scope } from "@cardbridge/domain";
import type { ActorKind, Call } from "../../src/operation/call.ts";

interface Options {
  platformId?: string;
  scopes?: readonly Scope[];
  idempotencyKey?: string | undefined;
}

export function callOf(
  kind: ActorKind,
  { platformId = internalPlatformId, scopes = [], idempotencyKey }: Options = {},
): Call {
  return {
    kind,
    platformId,
    scopes: new Set(scopes),
    idempotencyKey,
    actor: "actor",
    requestId: "req_1",
    address: null,
  };
}

export const operatorCall: Call = { ...callOf("operator"), actor: "claim:ada" };
