import { Failure } from "@cardbridge/domain";
import type { Call } from "./call.ts";

/**
 * The id of the person behind the call.
 * @throws Failure PERSON_REQUIRED for a call without one.
 */
export function requirePerson({ person }: Call): string {
  if (!person) throw new Failure("PERSON_REQUIRED");
  return person.personId;
}
