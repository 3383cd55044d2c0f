import { derivedId } from "../derived-id.ts";
import type { Submission } from "../wire.ts";
import { scenarioOf } from "./choose.ts";

/** The references in every response and event about a submission. The tag `mismatched` gives those of another one. */
export function namesOf(reference: string, request: Submission) {
  return scenarioOf(request).mismatched
    ? { reference: derivedId("kyc", reference), userReference: derivedId("usr", reference) }
    : { reference, userReference: request.userReference };
}
