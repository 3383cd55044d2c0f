import { Failure } from "@cardbridge/domain";

/** A request that cannot be read, for the reason that the rule and its message say. */
export function malformed(rule: string, message: string): Failure {
  return new Failure("MALFORMED_REQUEST", { violations: [{ path: [], rule, message }] });
}
