import type { RouterOutputs } from "@cardbridge/trpc-client";
import { callerOf, decidersOf, type NamedPerson, nameOf, type Who, whoOf } from "../lib/who.ts";
import { expiryOf, type Meaning, stateOf } from "../lib/why.ts";
import { shared } from "../lib/words.ts";

const words = {
  submitted: "Submitted by the platform",
  submittedAgain: "Submitted by the platform, to renew an approval",
  expiry: { expiring: "The document expires soon", expired: "The document has expired" },
  renewal: "A renewal was submitted",
  attempt: { send: "Sent", ask: "Asked", unsent: "Not sent" },
  change: {
    submission: "Reply to the submission",
    provider: "Provider’s reply",
    event: "Provider’s event",
    person: "Entered by a person",
    restored: "From the provider’s list, after a restore",
  },
  request: {
    open: (document: string) => `Asked for: ${document}`,
    answered: (document: string) => `Answered: ${document}`,
    closed: (document: string) => `No longer asked for: ${document}`,
  },
  answeredBy: "The platform’s answer",
  delivery: { pending: "Webhook pending", delivered: "Webhook delivered", failed: "Webhook failed" },
  tries: (n: number) => (n === 1 ? "1 attempt" : `${n} attempts`),
  note: (name: string) => `Note: ${name}`,
  restricted: "compliance only",
  noAuthor: "an app without a person",
  assigned: (name: string) => `Assigned to ${name}`,
  released: "Released",
  viewed: (name: string) => `Viewed by ${name}`,
  opened: (name: string) => `Evidence opened by ${name}`,
  for: (purpose: string) => `For ${purpose}`,
  attemptNo: (from: number, to: number) => (from === to ? `attempt ${from}` : `attempts ${from}–${to}`),
  by: { submission: "submission", worker: "worker" },
} as const;

// Tests read this module without a browser, so it takes the types from the client.
type ShownRecord = RouterOutputs["records"]["get"];
type Attempt = RouterOutputs["records"]["attempts"]["attempts"][number];
type Note = RouterOutputs["records"]["notes"]["notes"][number];

/** One entry of a record's timeline in words: a moment, or a run of equal ones. */
export interface TimelineEntry {
  id: string;
  at: string;
  firstAt: string;
  title: string;
  meaning: Meaning;
  detail?: string;
  /** Who decided manually. */
  people?: readonly Who[];
  /** A status as the provider gave it. */
  raw?: string;
  /** Nothing happened to the record. */
  isQuiet?: true;
  /** What the entry leads to. */
  delivery?: { endpointId: string; deliveryId: string };
  attempt?: Attempt;
  /** Who looked. */
  viewer?: string;
}

/** Views of the same person with less between them are one visit. */
const visitMs = 4 * 3_600_000;

/**
 * Merges what is known about a record, newest first. Equal attempts without anything between them become one entry, and
 * so do views of the same person.
 */
export function mergeTimeline(
  record: ShownRecord,
  { attempts, persons: alsoNamed }: RouterOutputs["records"]["attempts"],
  notes: readonly Note[],
): TimelineEntry[] {
  const persons = [...record.persons, ...alsoNamed];
  // Entries of the same moment keep the order of their causes, which is the one of this list.
  const entries: TimelineEntry[] = [
    entry("submitted", record.createdAt, record.renews === null ? words.submitted : words.submittedAgain),
    ...attempts.map((attempt) => ofAttempt(attempt, persons)),
    // The first change of a record is that it exists.
    ...record.history
      .filter(({ resolution, source }) => source !== "submission" || resolution !== "unresolved")
      .map((change, index) => ofChange(change, index, persons)),
    ...record.requestHistory.map(ofRequest),
    ...record.expiryHistory.map(({ documentExpiry, observedAt }) =>
      entry(documentExpiry, observedAt, words.expiry[documentExpiry], expiryOf(documentExpiry).meaning),
    ),
    ...record.deliveries.map(ofDelivery),
    ...(record.renewal ? [entry("renewal", record.renewal.createdAt, words.renewal)] : []),
    ...notes.map(ofNote),
    ...(record.assignedAt === null ? [] : [entry("assignment", record.assignedAt, assignment(record))]),
    ...record.openings.map((opening, index) => ({
      ...entry(`opening-${index}`, opening.at, words.opened(nameOf(opening.by))),
      detail: words.for(shared.purpose.short[opening.purpose]),
    })),
    ...record.views.map((view): TimelineEntry => {
      const viewer = view.by?.personId ?? view.actor;
      const title = words.viewed(callerOf(view));
      return { ...entry(`view-${view.actor}-${view.at}`, view.at, title), isQuiet: true, viewer };
    }),
  ];
  const newestFirst = entries.reverse().sort((one, other) => Date.parse(other.at) - Date.parse(one.at));
  return collapse(newestFirst, persons);
}

function entry(id: string, at: string, title: string, meaning: Meaning = "plain"): TimelineEntry {
  return { id, at, firstAt: at, title, meaning };
}

function ofAttempt(attempt: Attempt, persons: readonly NamedPerson[]): TimelineEntry {
  const { step, outcome, count, number, lastNumber, by } = attempt;
  const times = count > 1 ? ` ${shared.units.times(count)}` : "";
  const who = (words.by as Record<string, string>)[by] ?? whoOf(by, persons).name;
  const did = words.attempt[outcome === "unsent" ? "unsent" : step];
  return {
    ...entry(`attempt-${number}`, attempt.lastStartedAt, `${did}: ${attempt.words}${times}`),
    firstAt: attempt.startedAt,
    meaning: meaningOfOutcome(outcome),
    detail: `${who} · ${words.attemptNo(number, lastNumber)}`,
    attempt,
  };
}

function meaningOfOutcome(outcome: string): Meaning {
  if (outcome === "answered") return "good";
  if (outcome === "refused") return "bad";
  return outcome === "not-found" ? "waiting" : "attention";
}

const sourceWords = (source: string): string => (words.change as Record<string, string>)[source] ?? source;

function ofChange(
  change: ShownRecord["history"][number],
  index: number,
  persons: readonly NamedPerson[],
): TimelineEntry {
  const { word, meaning } = stateOf({ ...change, needsAttentionSince: null });
  return {
    ...entry(`change-${index}`, change.observedAt, word, meaning),
    detail: sourceWords(change.source),
    people: decidersOf(change, persons),
    ...(change.subStatus !== null && { raw: change.subStatus }),
  };
}

const requestMeanings = { open: "waiting", answered: "good", closed: "plain" } as const;

function ofRequest(request: ShownRecord["requestHistory"][number]): TimelineEntry {
  const { documentRequestId, documentType, status, source, observedAt } = request;
  const title = words.request[status](shared.record.document(documentType));
  const isOurs = status === "answered" && source === "submission";
  return {
    ...entry(`${documentRequestId}-${status}-${observedAt}`, observedAt, title, requestMeanings[status]),
    detail: isOurs ? words.answeredBy : sourceWords(source),
  };
}

function ofDelivery(delivery: ShownRecord["deliveries"][number]): TimelineEntry {
  const { deliveryId, endpointId, status, attempts, createdAt, deliveredAt } = delivery;
  const meaning = status === "delivered" ? "good" : status === "failed" ? "bad" : "waiting";
  return {
    ...entry(deliveryId, deliveredAt ?? createdAt, words.delivery[status], meaning),
    detail: words.tries(attempts),
    delivery: { endpointId, deliveryId },
  };
}

function ofNote({ noteId, createdAt, by, text, restricted }: Note): TimelineEntry {
  const title = words.note(by ? nameOf(by) : words.noAuthor);
  return {
    ...entry(noteId, createdAt, restricted ? `${title} · ${words.restricted}` : title),
    detail: text,
  };
}

function assignment({ assignee, assignedRole }: ShownRecord): string {
  if (assignedRole) return words.assigned(shared.person.role[assignedRole]);
  return assignee ? words.assigned(nameOf(assignee)) : words.released;
}

function collapse(entries: readonly TimelineEntry[], persons: readonly NamedPerson[]): TimelineEntry[] {
  const merged: TimelineEntry[] = [];
  for (const older of entries) {
    const newer = merged.at(-1);
    if (newer?.attempt && older.attempt && isEqual(newer.attempt, older.attempt)) {
      const { number, startedAt, count } = older.attempt;
      const attempt = { ...newer.attempt, number, startedAt, count: newer.attempt.count + count };
      merged[merged.length - 1] = ofAttempt(attempt, persons);
    } else if (newer && isVisit(newer, older)) {
      merged[merged.length - 1] = { ...newer, firstAt: older.firstAt };
    } else merged.push(older);
  }
  return merged;
}

const isVisit = (newer: TimelineEntry, older: TimelineEntry): boolean =>
  newer.viewer !== undefined &&
  newer.viewer === older.viewer &&
  Date.parse(newer.firstAt) - Date.parse(older.at) < visitMs;

const isEqual = (one: Attempt, other: Attempt): boolean =>
  one.step === other.step &&
  one.outcome === other.outcome &&
  one.reason === other.reason &&
  one.by === other.by;
