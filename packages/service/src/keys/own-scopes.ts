import { Failure, isOperatorScope, ownerOf, type Scope } from "@cardbridge/domain";
import type { Call } from "../operation/call.ts";

/**
 * The scopes of a new key. A caller grants only those scopes of operators that it has, so that nobody gains rights by
 * making a key. A key of an internal app also gets ops.persons, with which it needs a person at each call, so that nobody
 * keeps rights after a block. The command line grants all and adds none: it is the way in when no key can (gaps G19, G37).
 * @throws Failure SCOPE_MISSING that names the scopes.
 */
export function grantedScopes(call: Call, platformId: string, requested: readonly Scope[]): Scope[] {
  if (call.kind === "operator") return [...requested];
  const added: Scope[] = ownerOf(platformId) === "internal" ? ["ops.persons"] : [];
  const scopes = [...new Set([...requested, ...added])];
  const missing = scopes.filter(
    (scope) => isOperatorScope(scope) && !added.includes(scope) && !call.scopes.has(scope),
  );
  if (missing.length === 0) return scopes;
  throw refused(
    `You can grant only the scopes of operators that you have yourself, not ${missing.join(", ")}.`,
  );
}

/**
 * The scopes of a key's successor. One that needs a person would fail in an app that sends none.
 * @throws Failure SCOPE_MISSING.
 */
export function scopesOfSuccessor(call: Call, platformId: string, old: readonly Scope[]): Scope[] {
  const scopes = grantedScopes(call, platformId, old);
  if (scopes.length === old.length) return scopes;
  throw refused("Only the command line rotates a key of an internal app that needs no person.");
}

function refused(message: string): Failure {
  return new Failure("SCOPE_MISSING", { violations: [{ path: ["scopes"], rule: "own-scopes", message }] });
}
