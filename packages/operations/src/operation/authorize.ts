import {
  Failure,
  idempotencyKey,
  internalPlatformId,
  platformHeader,
  type Scope,
  type Violation,
} from "@cardbridge/domain";
import type { ActorKind, Call } from "./call.ts";

interface Access {
  actors: readonly ActorKind[];
  scopes: readonly Scope[];
  platform: boolean;
  idempotent: boolean;
}

/**
 * Checks that this kind of caller may run the operation, and that a key has one of its scopes.
 * @throws Failure SCOPE_MISSING.
 */
export function authorize({ actors, scopes }: Access, call: Call): void {
  const allowed = actors.includes(call.kind);
  if (allowed && (!hasKey(call) || scopes.some((scope) => call.scopes.has(scope)))) return;
  const message = `This operation requires a key with the scope ${scopes.join(" or ")}.`;
  throw new Failure("SCOPE_MISSING", { violations: [{ path: [], rule: "scope", message }] });
}

/** Violations of the call itself, in addition to those of its input. */
export function callViolations({ platform, idempotent }: Access, call: Call): Violation[] {
  return [
    ...(platform ? unnamedPlatform(call) : []),
    ...(idempotent ? invalidIdempotencyKey(call) : unusedIdempotencyKey(call)),
  ];
}

function unnamedPlatform(call: Call): Violation[] {
  if (!hasKey(call) || call.platformId !== internalPlatformId) return [];
  const message = "Send the id of the platform that the call acts for.";
  return [{ path: [platformHeader], rule: "platform-required", message }];
}

function invalidIdempotencyKey(call: Call): Violation[] {
  if (call.idempotencyKey === undefined || idempotencyKey.safeParse(call.idempotencyKey).success) return [];
  const message =
    "Send the header once, with 1 to 255 visible ASCII characters, with or without double quotes.";
  return [{ path: ["Idempotency-Key"], rule: "idempotency-key", message }];
}

/** Callers rely on an Idempotency-Key that they send, so an operation without support rejects it. */
function unusedIdempotencyKey({ idempotencyKey }: Call): Violation[] {
  if (idempotencyKey === undefined) return [];
  const message = "Omit the header Idempotency-Key. This operation does not support it.";
  return [{ path: ["Idempotency-Key"], rule: "idempotency-key-unsupported", message }];
}

function hasKey({ kind }: Call): boolean {
  return kind === "platform" || kind === "internal";
}
