import type { Attempt, Entry, FetchedFile } from "./entries.ts";
import type { Journal } from "./journal.ts";
import type { Step } from "./timeline.ts";
import type { Card, Submission } from "./wire.ts";

export interface Execution {
  readonly reference: string;
  readonly scenario: string;
  /** Milliseconds since 1970. */
  readonly executedAt: number;
  readonly timeline: readonly Step[];
  readonly request: Submission;
  /** What was fetched of its files. */
  readonly files: readonly FetchedFile[];
}

interface Refusal {
  readonly reference: string;
  /** Milliseconds since 1970. */
  readonly refusedAt: number;
  readonly request: Submission;
  readonly message: string;
  /** What was fetched of its files. */
  readonly files: readonly FetchedFile[];
}

interface User {
  readonly executions: Execution[];
  readonly cards: Map<string, Card>;
}

/** Everything that is remembered, as the journal tells it. */
export interface Book {
  readonly executions: ReadonlyMap<string, Execution>;
  readonly refusals: ReadonlyMap<string, Refusal>;
  readonly attempts: readonly Attempt[];
  /** Whether a PUT of this reference has been seen before. */
  attempted(reference: string): boolean;
  /** The cards that were put, by cardId. */
  readonly cards: ReadonlyMap<string, Card>;
  /** The ids of the events that were taken. */
  readonly delivered: ReadonlySet<string>;
  knowsUser(userReference: string): boolean;
  executionsOf(userReference: string): readonly Execution[];
  cardsOf(userReference: string): readonly Card[];
  /** Writes an entry to the journal, then remembers it. Throws when it cannot be written. */
  write(entry: Entry): void;
}

/** The book that a journal tells, to be continued in it. */
export function openBook(journal: Journal): Book {
  const executions = new Map<string, Execution>();
  const refusals = new Map<string, Refusal>();
  const attempts: Attempt[] = [];
  const attempted = new Set<string>();
  const cards = new Map<string, Card>();
  const delivered = new Set<string>();
  const users = new Map<string, User>();

  function user(userReference: string): User {
    const known = users.get(userReference) ?? { executions: [], cards: new Map() };
    users.set(userReference, known);
    return known;
  }

  function remember(entry: Entry): void {
    if (entry.kind === "cards") entry.cards.forEach(keepCard);
    else if (entry.kind === "delivered") delivered.add(entry.eventId);
    else keepAttempt(entry);
  }

  function keepAttempt(attempt: Attempt): void {
    const { reference, at, execution, refusal, files = [] } = attempt;
    attempts.push(attempt);
    attempted.add(reference);
    if (refusal) {
      const { request, message = "The submission is refused." } = refusal;
      refusals.set(reference, { reference, refusedAt: at, request, message, files });
    }
    if (execution) {
      const kept = { reference, executedAt: at, ...execution, files };
      executions.set(reference, kept);
      user(kept.request.userReference).executions.push(kept);
    }
  }

  function keepCard(card: Card): void {
    const before = cards.get(card.cardId);
    if (before) user(before.userReference).cards.delete(card.cardId);
    cards.set(card.cardId, card);
    user(card.userReference).cards.set(card.cardId, card);
  }

  journal.entries.forEach(remember);

  return {
    executions,
    refusals,
    attempts,
    cards,
    delivered,
    attempted: (reference) => attempted.has(reference),
    knowsUser: (userReference) => users.has(userReference),
    executionsOf: (userReference) => users.get(userReference)?.executions ?? [],
    cardsOf: (userReference) => [...(users.get(userReference)?.cards.values() ?? [])],
    write(entry) {
      journal.append(entry);
      remember(entry);
    },
  };
}
