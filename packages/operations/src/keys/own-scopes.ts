import { Failure, isOperatorScope, type Scope } from "@cardbridge/domain";
import type { Call } from "../operation/call.ts";

/**
 * Checks that the caller has the scopes of operators that a key gets, so that nobody gains rights by making a key. The
 * command line may grant all: it is the way in when no key can (gap G37).
 * @throws Failure SCOPE_MISSING that names the scopes.
 */
export function requireOwnScopes(call: Call, granted: readonly Scope[]): void {
  if (call.kind === "operator") return;
  const missing = granted.filter((scope) => isOperatorScope(scope) && !call.scopes.has(scope));
  if (missing.length === 0) return;
  const message = `You can grant only the scopes of operators that you have yourself, not ${missing.join(", ")}.`;
  throw new Failure("SCOPE_MISSING", { violations: [{ path: ["scopes"], rule: "own-scopes", message }] });
}
