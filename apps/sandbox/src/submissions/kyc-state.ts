import { derivedId } from "../derived-id.ts";
import { scenarioOf, whyOf } from "../scenarios/choose.ts";
import type { TimelineStep } from "../scenarios/timeline.ts";
import type { Execution } from "../state/state.ts";

/** The state of a submission after a step of its timeline, in the format of the contract. */
export function kycStateOf({ reference, request }: Execution, step: TimelineStep) {
  const { at, status, cardAccountId, revision } = step;
  const mismatched = scenarioOf(request.applicant.email).mismatched;
  return {
    reference: mismatched ? derivedId("kyc", reference) : reference,
    userReference: mismatched ? derivedId("usr", reference) : request.userReference,
    status,
    cardAccountId,
    revision,
    updatedAt: new Date(at).toISOString(),
    ...(status === "rejected" && whyOf(request)),
  };
}
