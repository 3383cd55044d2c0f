/** One entry of a record's timeline: a moment, or a run of equal ones. */
export type TimelineEntry = { id: string; at: string; firstAt: string } & (
  | { kind: "submitted" }
  | { kind: "attempt"; attempt: Attempt }
  | { kind: "change"; change: Change }
  | { kind: "delivery"; delivery: Delivery }
  | { kind: "note"; note: Note }
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
  /** The actor of a manual decision. */
  by?: string | null;
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
  by: { personId: string; name: string | null } | null;
  createdAt: string;
}

export interface TimelineParts {
  createdAt: string;
  history: readonly Change[];
  deliveries: readonly Delivery[];
  attempts: readonly Attempt[];
  notes: readonly Note[];
}

/** Merges what is known about a record, newest first. Equal attempts without anything between them become one entry. */
export function mergeTimeline({
  createdAt,
  history,
  deliveries,
  attempts,
  notes,
}: TimelineParts): TimelineEntry[] {
  const entries: TimelineEntry[] = [
    { id: "submitted", kind: "submitted", at: createdAt, firstAt: createdAt },
    // The first change of a record is that it exists.
    ...history
      .filter(({ resolution, source }) => source !== "submission" || resolution !== "unresolved")
      .map((change, index): TimelineEntry => {
        const at = change.observedAt;
        return { id: `change-${index}`, kind: "change", at, firstAt: at, change };
      }),
    ...deliveries.map((delivery): TimelineEntry => {
      const at = delivery.deliveredAt ?? delivery.createdAt;
      return { id: delivery.deliveryId, kind: "delivery", at, firstAt: at, delivery };
    }),
    ...attempts.map((attempt): TimelineEntry => {
      const { number, startedAt: firstAt, lastStartedAt: at } = attempt;
      return { id: `attempt-${number}`, kind: "attempt", at, firstAt, attempt };
    }),
    ...notes.map((note): TimelineEntry => {
      const at = note.createdAt;
      return { id: note.noteId, kind: "note", at, firstAt: at, note };
    }),
  ];
  // Entries of the same moment keep the order of their causes: submitted, attempt, change, delivery.
  const order = { submitted: 0, attempt: 1, change: 2, delivery: 3, note: 4 };
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
    } else merged.push(entry);
  }
  return merged;
}

function isEqual(one: Attempt, other: Attempt): boolean {
  return (
    one.step === other.step &&
    one.outcome === other.outcome &&
    one.reason === other.reason &&
    one.by === other.by
  );
}
