import {
  Failure,
  idempotencyKey,
  internalPlatformId,
  isOperatorScope,
  isRecord,
  maxSignInAgeSeconds,
  type Person,
  platformHeader,
  type RawInput,
  rolesWith,
  type Scope,
  type Violation,
} from "@cardbridge/domain";
import type { ActorKind, Call } from "./call.ts";

interface Access {
  actors: readonly ActorKind[];
  scopes: readonly Scope[];
  platform: boolean;
  idempotent: boolean;
  recentSignIn?: true | ((input: RawInput) => boolean);
}

/**
 * Checks that this kind of caller may run the operation, that a key and the person's roles allow one of its scopes, and
 * that the person signed in recently where the operation requires it.
 * @throws Failure SCOPE_MISSING, SIGN_IN_TOO_OLD.
 */
export function authorize(
  { actors, scopes: all, recentSignIn = () => false }: Access,
  call: Call,
  raw: unknown,
): void {
  // Platforms cannot have the scopes of operators.
  const scopes = call.kind === "platform" ? all.filter((scope) => !isOperatorScope(scope)) : all;
  const allowed = actors.includes(call.kind);
  if (!allowed || (hasKey(call) && !scopes.some((scope) => call.scopes.has(scope)))) {
    throw new Failure("SCOPE_MISSING", { violations: [missingScope(scopes, call)] });
  }
  const isRequired = recentSignIn === true || (isRecord(raw) && recentSignIn(raw));
  if (isRequired && call.person && !signedInRecently(call.person)) throw new Failure("SIGN_IN_TOO_OLD");
}

function missingScope(scopes: readonly Scope[], { person }: Call): Violation {
  const roles = rolesWith(scopes);
  // An app shows this to its persons: a scope is named only where the key lacks it.
  const isKeys = !person || roles.length === 0 || person.roles.some((role) => roles.includes(role));
  const message = isKeys
    ? `This operation requires a key with the scope ${scopes.join(" or ")}.`
    : `This requires a person with the role ${roles.join(" or ")}.`;
  return { path: [], rule: "scope", message };
}

function signedInRecently({ authenticatedAt }: Person): boolean {
  return authenticatedAt !== null && Date.now() - authenticatedAt.getTime() <= maxSignInAgeSeconds * 1_000;
}

/** Violations of the call itself, in addition to those of its input and to those that the transport found. */
export function callViolations(
  { platform, idempotent }: Access,
  call: Call,
  found: readonly Violation[],
): Violation[] {
  const namesPlatform = found.some(({ path: [field] }) => field === "platformId");
  return [
    ...(platform && !namesPlatform ? unnamedPlatform(call) : []),
    ...(idempotent ? invalidIdempotencyKey(call) : unusedIdempotencyKey(call)),
  ];
}

function unnamedPlatform(call: Call): Violation[] {
  if (!hasKey(call) || call.platformId !== internalPlatformId) return [];
  const message = `Send the id of the platform that the call acts for, in the header ${platformHeader} or, over tRPC, as platformId in the input.`;
  return [{ path: [], header: platformHeader, rule: "platform-required", message }];
}

function invalidIdempotencyKey(call: Call): Violation[] {
  if (call.idempotencyKey === undefined || idempotencyKey.safeParse(call.idempotencyKey).success) return [];
  const message =
    "Send the header once, with 1 to 255 visible ASCII characters, with or without double quotes.";
  return [{ path: [], header: "Idempotency-Key", rule: "idempotency-key", message }];
}

/** Callers rely on an Idempotency-Key that they send, so an operation without support rejects it. */
function unusedIdempotencyKey({ idempotencyKey }: Call): Violation[] {
  if (idempotencyKey === undefined) return [];
  const message = "Omit the header Idempotency-Key. This operation does not support it.";
  return [{ path: [], header: "Idempotency-Key", rule: "idempotency-key-unsupported", message }];
}

export function hasKey({ kind }: Call): boolean {
  return kind === "platform" || kind === "internal";
}
