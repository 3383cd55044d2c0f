import { type Decider, decidersOf, type NamedPerson, whoOf } from "./decided-by.ts";

/** One entry of a record's timeline: a moment, or a run of equal ones. */
export type TimelineEntry = { id: string; at: string; firstAt: string } & (
  | { kind: "submitted"; renews: string | null }
  | { kind: "attempt"; attempt: Attempt }
  | { kind: "change"; change: Change; deciders: Decider[] }
  | { kind: "request"; request: RequestChange }
  | { kind: "expiry"; documentExpiry: "expiring" | "expired" }
  | { kind: "renewal" }
  | { kind: "delivery"; delivery: Delivery }
  | { kind: "note"; note: Note }
  | { kind: "assignment"; assignee: NamedPerson | null }
  | { kind: "view"; view: View }
);

export interface Attempt {
  number: number;
  lastNumber: number;
  step: "send" | "ask";
  startedAt: string;
  lastStartedAt: string;
  milliseconds: number;
  outcome: string;
  reason: string | null;
  by: string;
  count: number;
}

interface Change {
  resolution: "unresolved" | "answered" | "refused";
  status: string | null;
  subStatus: string | null;
  source: string;
  observedAt: string;
  /** The actors of a manual decision. */
  by?: string | null;
  proposedBy?: string | null;
}

interface RequestChange {
  documentRequestId: string;
  documentType: string;
  status: "open" | "answered" | "closed";
  source: string;
  observedAt: string;
}

interface Delivery {
  deliveryId: string;
  endpointId: string;
  status: string;
  attempts: number;
  createdAt: string;
  deliveredAt: string | null;
}

export interface Note {
  noteId: string;
  text: string;
  restricted: boolean;
  by: NamedPerson | null;
  createdAt: string;
}

/** Who opened the record; nobody's name for a call without a person. */
interface View {
  by: NamedPerson | null;
  actor: string;
  at: string;
}

export interface TimelineParts {
  createdAt: string;
  history: readonly Change[];
  requestHistory: readonly RequestChange[];
  expiryHistory: readonly { documentExpiry: "expiring" | "expired"; observedAt: string }[];
  renews: string | null;
  renewal: { createdAt: string } | null;
  deliveries: readonly Delivery[];
  attempts: readonly Attempt[];
  notes: readonly Note[];
  /** Of the current assignment, or of the release of the last one; null if there was none. */
  assignedAt: string | null;
  assignee: NamedPerson | null;
  views: readonly View[];
  /** The persons whose ids are in the history and in the attempts. */
  persons: readonly NamedPerson[];
}

/** Views of the same person with less between them are one visit. */
const visitMs = 4 * 3_600_000;

/**
 * Merges what is known about a record, newest first. Equal attempts without anything between them become one entry, and
 * so do views of the same person.
 */
export function mergeTimeline({
  createdAt,
  history,
  requestHistory,
  expiryHistory,
  renews,
  renewal,
  deliveries,
  attempts,
  notes,
  assignedAt,
  assignee,
  views,
  persons,
}: TimelineParts): TimelineEntry[] {
  const entries: TimelineEntry[] = [
    { id: "submitted", kind: "submitted", at: createdAt, firstAt: createdAt, renews },
    // The first change of a record is that it exists.
    ...history
      .filter(({ resolution, source }) => source !== "submission" || resolution !== "unresolved")
      .map((change, index): TimelineEntry => {
        const at = change.observedAt;
        const deciders = decidersOf(change, persons);
        return { id: `change-${index}`, kind: "change", at, firstAt: at, change, deciders };
      }),
    ...requestHistory.map((request): TimelineEntry => {
      const { documentRequestId, status, observedAt: at } = request;
      return { id: `${documentRequestId}-${status}-${at}`, kind: "request", at, firstAt: at, request };
    }),
    ...expiryHistory.map(({ documentExpiry, observedAt: at }): TimelineEntry => {
      return { id: documentExpiry, kind: "expiry", at, firstAt: at, documentExpiry };
    }),
    ...[renewal ?? []].flat().map(({ createdAt: at }): TimelineEntry => {
      return { id: "renewal", kind: "renewal", at, firstAt: at };
    }),
    ...deliveries.map((delivery): TimelineEntry => {
      const at = delivery.deliveredAt ?? delivery.createdAt;
      return { id: delivery.deliveryId, kind: "delivery", at, firstAt: at, delivery };
    }),
    ...attempts.map((before): TimelineEntry => {
      const attempt = { ...before, by: whoOf(before.by, persons).name };
      const { number, startedAt: firstAt, lastStartedAt: at } = attempt;
      return { id: `attempt-${number}`, kind: "attempt", at, firstAt, attempt };
    }),
    ...notes.map((note): TimelineEntry => {
      const at = note.createdAt;
      return { id: note.noteId, kind: "note", at, firstAt: at, note };
    }),
    ...(assignedAt === null
      ? []
      : [{ id: "assignment", kind: "assignment" as const, at: assignedAt, firstAt: assignedAt, assignee }]),
    ...views.map((view): TimelineEntry => {
      const { actor, at } = view;
      return { id: `view-${actor}-${at}`, kind: "view", at, firstAt: at, view };
    }),
  ];
  // Entries of the same moment keep the order of their causes: submitted, attempt, change, request, expiry, delivery.
  const order = {
    submitted: 0,
    attempt: 1,
    change: 2,
    request: 3,
    expiry: 4,
    delivery: 5,
    renewal: 6,
    note: 7,
    assignment: 8,
    view: 9,
  };
  entries.sort(
    (one, other) => Date.parse(other.at) - Date.parse(one.at) || order[other.kind] - order[one.kind],
  );
  return collapse(entries);
}

function collapse(entries: readonly TimelineEntry[]): TimelineEntry[] {
  const merged: TimelineEntry[] = [];
  for (const entry of entries) {
    const newer = merged.at(-1);
    if (newer?.kind === "attempt" && entry.kind === "attempt" && isEqual(newer.attempt, entry.attempt)) {
      const { number, startedAt, count } = entry.attempt;
      const attempt = { ...newer.attempt, number, startedAt, count: newer.attempt.count + count };
      merged[merged.length - 1] = { ...newer, attempt, firstAt: entry.firstAt };
    } else if (newer?.kind === "view" && entry.kind === "view" && isVisit(newer, entry)) {
      merged[merged.length - 1] = { ...newer, firstAt: entry.firstAt };
    } else merged.push(entry);
  }
  return merged;
}

type ViewEntry = Extract<TimelineEntry, { kind: "view" }>;

function isVisit(newer: ViewEntry, older: ViewEntry): boolean {
  const viewer = ({ view: { by, actor } }: ViewEntry) => by?.personId ?? actor;
  return viewer(newer) === viewer(older) && Date.parse(newer.firstAt) - Date.parse(older.at) < visitMs;
}

function isEqual(one: Attempt, other: Attempt): boolean {
  return (
    one.step === other.step &&
    one.outcome === other.outcome &&
    one.reason === other.reason &&
    one.by === other.by
  );
}
