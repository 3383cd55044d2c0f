import { derivedId } from "../derived-id.ts";
import { scenarioOf } from "../scenarios/choose.ts";
import type { CardChange } from "../state/entries.ts";
import type { Execution } from "../state/state.ts";
import { kycStateOf } from "../submissions/kyc-state.ts";

/** An event of a submission or of a card. */
export interface SandboxEvent {
  /** Stable across restarts. */
  readonly id: string;
  /** The earliest time to send it, in milliseconds since 1970. */
  readonly at: number;
  /** The number of deliveries in the scenario. */
  readonly deliveries: number;
  readonly body: string;
}

/** The events of a submission, in the order of their delivery. */
export function eventsOf(execution: Execution): SandboxEvent[] {
  const { reference, request, timeline } = execution;
  const { events: variant } = scenarioOf(request.applicant.email);
  const events = timeline.map((step) => ({
    id: derivedId("evt", `${reference}:${step.revision}`),
    at: step.at,
    deliveries: variant === "twice" ? 2 : 1,
    body: JSON.stringify({ type: "kyc.updated", data: kycStateOf(execution, step) }),
  }));
  return variant === "latest-first" ? events.reverse() : events;
}

/** The event of a card whose status changed. */
export function cardEventOf({ eventId, at, ...data }: CardChange): SandboxEvent {
  return { id: eventId, at, deliveries: 1, body: JSON.stringify({ type: "card.updated", data }) };
}
