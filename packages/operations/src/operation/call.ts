import type { Actor, AuditOrigin, Scope, Slot } from "@cardbridge/domain";

/** The kind of caller: a platform's or an internal app's key, an operator at the command line, or the card provider. */
export type ActorKind = "platform" | "internal" | "operator" | "provider";

/** The authenticated caller of an operation. Each transport creates it. */
export interface Call extends Actor {
  kind: ActorKind;
  /** The platform of the data; `internal` if the call names none (gap G19). */
  platformId: string;
  /** The scopes of the caller's key; empty without a key. */
  scopes: ReadonlySet<Scope>;
  /** The caller's Idempotency-Key (gap G20), which the operation validates. */
  idempotencyKey?: string | undefined;
  /** Aborts when the caller disconnects. Only cancellable work uses it. */
  signal?: AbortSignal | undefined;
  /** The slot of the operation. The operation releases it when its request to the provider starts. */
  slot?: Slot | undefined;
}

/** The origin of a call, for the audit. */
export function originOf({ actor, requestId, address }: Call, operation: string): AuditOrigin {
  return { actor, requestId, address, operation };
}
