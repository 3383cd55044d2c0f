import { Failure, internalPlatformId, platformHeader, type Scope, type Violation } from "@cardbridge/domain";
import type { ActorKind, Call } from "./call.ts";

interface Access {
  actors: readonly ActorKind[];
  scopes: readonly Scope[];
  platform: boolean;
  idempotent: boolean;
}

/**
 * Checks that this kind of caller may run the operation and that a key has a scope for it.
 * @throws Failure SCOPE_MISSING.
 */
export function authorize({ actors, scopes }: Access, call: Call): void {
  const allowed = actors.includes(call.kind);
  if (allowed && (!hasKey(call) || scopes.some((scope) => call.scopes.has(scope)))) return;
  const message = `This operation needs a key with the scope ${scopes.join(" or ")}.`;
  throw new Failure("SCOPE_MISSING", { violations: [{ path: [], rule: "scope", message }] });
}

/** What is wrong with the call itself, beside its input. */
export function callViolations({ platform, idempotent }: Access, call: Call): Violation[] {
  return [...(platform ? unnamedPlatform(call) : []), ...(idempotent ? [] : unusedIdempotencyKey(call))];
}

function unnamedPlatform(call: Call): Violation[] {
  if (!hasKey(call) || call.platformId !== internalPlatformId) return [];
  const message = "Name the platform that the call is for, by its id.";
  return [{ path: [platformHeader], rule: "platform-named", message }];
}

/** A caller who sends an Idempotency-Key relies on it, so the operation refuses a key that it would ignore. */
function unusedIdempotencyKey({ idempotencyKey }: Call): Violation[] {
  if (idempotencyKey === undefined) return [];
  const message = "Leave the header Idempotency-Key out: this operation does not take one.";
  return [{ path: ["Idempotency-Key"], rule: "idempotency-key-not-taken", message }];
}

function hasKey({ kind }: Call): boolean {
  return kind === "platform" || kind === "internal";
}
