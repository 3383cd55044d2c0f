import type { Execution } from "./book.ts";
import { derivedId } from "./derived-id.ts";
import { scenarioOf } from "./scenarios.ts";
import { stateOf } from "./state.ts";

export interface KycEvent {
  /** The same for ever for one step of one submission. */
  readonly id: string;
  /** When it may be sent, in milliseconds since 1970. */
  readonly at: number;
  /** How many times it is sent, when all goes well. */
  readonly times: number;
  readonly body: string;
}

/** What is told of a submission, in the order in which it is told. */
export function eventsOf(execution: Execution): KycEvent[] {
  const { reference, request, timeline } = execution;
  const { events: manner } = scenarioOf(request.applicant.email);
  const events = timeline.map((step) => ({
    id: derivedId("evt", `${reference}:${step.revision}`),
    at: step.at,
    times: manner === "twice" ? 2 : 1,
    body: JSON.stringify({ type: "kyc.updated", data: stateOf(execution, step) }),
  }));
  return manner === "latest-first" ? events.reverse() : events;
}
