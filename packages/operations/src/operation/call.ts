import type { Actor, AuditOrigin, Scope } from "@cardbridge/domain";

/**
 * Who runs an operation: a key of a platform, a key of an internal app, an operator at the command line, the
 * worker, or the card provider.
 */
export type ActorKind = "platform" | "internal" | "operator" | "worker" | "provider";

/** The caller, as an entrance established it before the operation sees anything. */
export interface Call extends Actor {
  kind: ActorKind;
  /** Whose data the call is about; `internal` where it names no platform (gap G19). */
  platformId: string;
  /** What the caller's key may do; empty for callers without a key. */
  scopes: ReadonlySet<Scope>;
  /** The caller's name for this change, so that it happens once (gap G20). */
  idempotencyKey?: string | undefined;
  /** Aborts when the caller goes away; only work that may be abandoned listens to it. */
  signal?: AbortSignal | undefined;
}

/** The call as the audit keeps it. */
export function originOf({ actor, requestId, address }: Call, operation: string): AuditOrigin {
  return { actor, requestId, address, operation };
}
