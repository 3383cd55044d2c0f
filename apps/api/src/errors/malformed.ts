import { Failure } from "@cardbridge/domain";

/** The failure of a malformed request, with the violated rule. */
export function malformed(rule: string, message: string): Failure {
  return new Failure("MALFORMED_REQUEST", { violations: [{ path: [], rule, message }] });
}
