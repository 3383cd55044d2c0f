import { Failure, isOperatorScope, type Scope } from "@cardbridge/domain";
import type { Call } from "../operation/call.ts";

/**
 * Checks that the caller has the scopes of operators that a key gets, so that nobody gains rights by making a key, and that
 * a key from a person needs a person too, so that nobody keeps them after a block. The command line may grant all: it is
 * the way in when no key can (gap G37).
 * @throws Failure SCOPE_MISSING that names the scopes.
 */
export function requireOwnScopes(call: Call, granted: readonly Scope[]): void {
  if (call.kind === "operator") return;
  const ofOperators = granted.filter(isOperatorScope);
  const missing = ofOperators.filter((scope) => !call.scopes.has(scope));
  if (missing.length > 0) {
    throw refused(
      `You can grant only the scopes of operators that you have yourself, not ${missing.join(", ")}.`,
    );
  }
  if (call.person && ofOperators.length > 0 && !ofOperators.includes("ops.persons")) {
    throw refused("A person can grant scopes of operators only together with ops.persons.");
  }
}

function refused(message: string): Failure {
  return new Failure("SCOPE_MISSING", { violations: [{ path: ["scopes"], rule: "own-scopes", message }] });
}
