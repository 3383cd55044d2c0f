import type { Actor, AuditOrigin, Person, PersonPlatforms, Scope, Slot } from "@cardbridge/domain";

/** The kind of caller: a platform's or an internal app's key, an operator at the command line, or the card provider. */
export type ActorKind = "platform" | "internal" | "operator" | "provider";

/** The authenticated caller of an operation. Each transport creates it. */
export interface Call extends Actor {
  kind: ActorKind;
  /** The platform of the data; `internal` if the call names none (gap G19). */
  platformId: string;
  /** The scopes of the caller: those of the key, limited to those of the person's roles; empty without a key. */
  scopes: ReadonlySet<Scope>;
  /** The person for whom an internal app calls (gap G37). */
  person?: Person | undefined;
  /** The caller's Idempotency-Key (gap G20), which the operation validates. */
  idempotencyKey?: string | undefined;
  /** Aborts when the caller disconnects. Only cancellable work uses it. */
  signal?: AbortSignal | undefined;
  /** The slot of the operation. The operation releases it when its request to the provider starts. */
  slot?: Slot | undefined;
}

/** A call of an operation. Its `platformId` is the platform of the data that the operation is about. */
export interface OperationCall extends Call {
  operation: string;
}

/** The origin of a call, for the audit. The actor of a person's call is `<personId>/<keyId>`. */
export function originOf(call: OperationCall, operation = call.operation): AuditOrigin {
  const { requestId, address } = call;
  return { actor: actorOf(call), requestId, address, operation };
}

/** The actor of a call, for the audit and for rows that name who wrote them. */
export function actorOf({ actor, person }: Call): string {
  return person ? `${person.personId}/${actor}` : actor;
}

/**
 * Whose rate and slots a call uses: the platform; for an internal app, whichever platforms its calls name, the person
 * behind its key, or the key of a call without one. An urgent call of an internal app has a holder of its own, so that
 * other calls of the same person or key do not use up its share.
 */
export function holderOf(
  { kind, actor, platformId, person }: Pick<Call, "kind" | "actor" | "platformId" | "person">,
  isUrgent = false,
): string {
  if (kind !== "internal") return platformId;
  const holder = person?.personId ?? actor;
  return isUrgent ? `${holder} urgent` : holder;
}

/** The platforms that the caller may access. */
export function platformsOf({ person }: Call): PersonPlatforms {
  return person?.platforms ?? "all";
}
