import type { Execution } from "./book.ts";
import { derivedId } from "./derived-id.ts";
import { scenarioOf } from "./scenarios.ts";
import type { Step } from "./timeline.ts";

/** The state of a submission after a step of its timeline, as the contract has it. */
export function stateOf({ reference, request }: Execution, step: Step) {
  const { at, status, cardAccountId, revision } = step;
  const foreign = scenarioOf(request.applicant.email).foreign;
  return {
    reference: foreign ? derivedId("kyc", reference) : reference,
    userReference: foreign ? derivedId("usr", reference) : request.userReference,
    status,
    cardAccountId,
    revision,
    updatedAt: new Date(at).toISOString(),
  };
}
