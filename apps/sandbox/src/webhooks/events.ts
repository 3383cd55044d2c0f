import { derivedId } from "../derived-id.ts";
import { changesOf, requestStateOf } from "../requests/state-of.ts";
import { scenarioOf } from "../scenarios/choose.ts";
import { namesOf } from "../scenarios/names.ts";
import type { CardChange } from "../state/entries.ts";
import type { Execution, State } from "../state/state.ts";
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

/** What events are about. Its events are sent one after another. */
export interface EventSource {
  /** Unique among all sources. */
  readonly key: string;
  /** All its events as of now, in the order of their delivery. An act drops scheduled ones and adds others. */
  events(): readonly SandboxEvent[];
}

/** The events of an executed submission and its document requests. */
export function submissionEvents(execution: Execution): EventSource {
  return { key: execution.reference, events: () => eventsOf(execution) };
}

/** The events of a card whose status changes. */
export function cardEvents(state: State, cardId: string): EventSource {
  const events = () => state.cardChanges.filter((change) => change.cardId === cardId).map(cardEventOf);
  return { key: `card:${cardId}`, events };
}

function eventsOf(execution: Execution): SandboxEvent[] {
  const { reference, request, requests, timeline } = execution;
  const { events: variant } = scenarioOf(request);
  const deliveries = variant === "twice" ? 2 : 1;
  const decisions = timeline.map((step) => ({
    id: derivedId("evt", `${reference}:${step.revision}`),
    at: step.at,
    deliveries,
    body: JSON.stringify({ type: "kyc.updated", data: kycStateOf(execution, step) }),
  }));
  const changes = requests.flatMap((asked) =>
    changesOf(execution, asked).map((change) => ({
      id: derivedId("evt", `${reference}:${asked.requestId}:${change.revision}`),
      at: change.at,
      deliveries,
      body: JSON.stringify({
        type: "kyc.request_updated",
        data: { ...namesOf(reference, request), request: requestStateOf(asked, change) },
      }),
    })),
  );
  const events = [...decisions, ...changes].sort((one, other) => one.at - other.at);
  return variant === "latest-first" ? events.reverse() : events;
}

function cardEventOf({ eventId, at, ...data }: CardChange): SandboxEvent {
  return { id: eventId, at, deliveries: 1, body: JSON.stringify({ type: "card.updated", data }) };
}
