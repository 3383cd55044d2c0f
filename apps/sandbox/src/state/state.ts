import { derivedId, issuedCardId } from "../derived-id.ts";
import type { FetchedFile } from "../files/fetched-file.ts";
import type { Asked } from "../scenarios/asked.ts";
import type { TimelineStep } from "../scenarios/timeline.ts";
import type { Card, Submission } from "../wire.ts";
import type { ActEntry, Answer, Attempt, CardChange, Entry } from "./entries.ts";
import type { Journal } from "./journal.ts";

/** A request for one more document. Acts and answers change it in place. */
export interface DocumentRequest extends Asked {
  readonly requestId: string;
  /** Milliseconds since 1970. */
  readonly requestedAt: number;
  /** The answers, oldest first, also those without an effect. */
  readonly answers: readonly Answer[];
}

/** An executed submission. Acts and answers change its timeline and its requests in place. */
export interface Execution {
  readonly reference: string;
  readonly scenario: string;
  /** Milliseconds since 1970. */
  readonly executedAt: number;
  readonly timeline: readonly TimelineStep[];
  /** Oldest first. */
  readonly requests: readonly DocumentRequest[];
  readonly request: Submission;
  readonly files: readonly FetchedFile[];
}

export interface Refusal {
  readonly reference: string;
  /** Milliseconds since 1970. */
  readonly refusedAt: number;
  readonly request: Submission;
  readonly message: string;
  readonly files: readonly FetchedFile[];
}

interface StoredExecution extends Execution {
  timeline: readonly TimelineStep[];
  readonly requests: (DocumentRequest & { readonly answers: Answer[] })[];
}

interface User {
  readonly executions: Execution[];
  readonly cards: Map<string, Card>;
}

/** The state of the sandbox in memory. The journal stores the same on disk. */
export interface State {
  readonly executions: ReadonlyMap<string, Execution>;
  readonly refusals: ReadonlyMap<string, Refusal>;
  readonly attempts: readonly Attempt[];
  /** Whether a PUT of this reference was received before. */
  wasAttempted(reference: string): boolean;
  /** Whether a submission of this user was refused. */
  wasRefused(userReference: string): boolean;
  /** The acts by their keys, oldest first. */
  readonly acts: ReadonlyMap<string, ActEntry>;
  /** The cards of `PUT /_cards` and of acts, by cardId. */
  readonly cards: ReadonlyMap<string, Card>;
  /** The changed statuses of cards, oldest first. */
  readonly cardChanges: readonly CardChange[];
  /** The ids of the delivered events. */
  readonly delivered: ReadonlySet<string>;
  hasUser(userReference: string): boolean;
  executionsOf(userReference: string): readonly Execution[];
  /** The account that an approval of this submission opens, or that it keeps: that of the approval that it renews. */
  accountOf(reference: string): string;
  /** The execution that issues this card, from the time of its approval. */
  executionOfCard(cardId: string): Execution | undefined;
  cardsOf(userReference: string): readonly Card[];
  /** Appends an entry to the journal, then applies it. Throws when the journal cannot be written. */
  write(entry: Entry): void;
}

/** Rebuilds the state from a journal. Later entries go to the same journal. */
export function openState(journal: Journal): State {
  const executions = new Map<string, StoredExecution>();
  const acts = new Map<string, ActEntry>();
  const refusals = new Map<string, Refusal>();
  const attempts: Attempt[] = [];
  const attempted = new Set<string>();
  const refusedUsers = new Set<string>();
  const cards = new Map<string, Card>();
  const cardChanges: CardChange[] = [];
  const delivered = new Set<string>();
  const users = new Map<string, User>();
  const byCard = new Map<string, Execution>();

  function userOf(userReference: string): User {
    const user = users.get(userReference) ?? { executions: [], cards: new Map() };
    users.set(userReference, user);
    return user;
  }

  function apply(entry: Entry): void {
    if (entry.kind === "cards") {
      entry.cards.forEach(applyCard);
      cardChanges.push(...(entry.changes ?? []));
    } else if (entry.kind === "delivered") delivered.add(entry.eventId);
    else if (entry.kind === "answer") applyAnswer(entry);
    else if (entry.kind === "act") applyAct(entry);
    else applyAttempt(entry);
  }

  function applyAct(entry: ActEntry): void {
    const { act, at, timeline, asked, card, change } = entry;
    acts.set(act.key, entry);
    const execution = executions.get(act.reference ?? "");
    if (execution && timeline) execution.timeline = timeline;
    if (execution && asked) execution.requests.push(newRequest(asked, `act:${act.key}`, at));
    if (card) applyCard(card);
    if (change) cardChanges.push(change);
  }

  function applyAnswer(answer: Answer): void {
    const execution = executions.get(answer.reference);
    execution?.requests.find(({ requestId }) => requestId === answer.requestId)?.answers.push(answer);
    if (execution && answer.timeline) execution.timeline = answer.timeline;
  }

  function applyAttempt(attempt: Attempt): void {
    const { reference, at, execution, refusal, files = [] } = attempt;
    attempts.push(attempt);
    attempted.add(reference);
    if (refusal) {
      const { request, message = "The submission is refused." } = refusal;
      refusedUsers.add(request.userReference);
      refusals.set(reference, { reference, refusedAt: at, request, message, files });
    }
    if (execution) {
      const { asked, ...rest } = execution;
      const requests = asked ? [newRequest(asked, reference, at)] : [];
      const executed = { reference, executedAt: at, ...rest, requests, files };
      executions.set(reference, executed);
      byCard.set(issuedCardId(reference), executed);
      userOf(executed.request.userReference).executions.push(executed);
    }
  }

  function accountOf(reference: string): string {
    const renews = executions.get(reference)?.request.renews;
    return renews === undefined ? derivedId("acct", reference) : accountOf(renews);
  }

  function applyCard(card: Card): void {
    const previous = cards.get(card.cardId);
    if (previous) userOf(previous.userReference).cards.delete(card.cardId);
    cards.set(card.cardId, card);
    userOf(card.userReference).cards.set(card.cardId, card);
  }

  journal.entries.forEach(apply);

  return {
    executions,
    refusals,
    attempts,
    acts,
    cards,
    cardChanges,
    delivered,
    wasAttempted: (reference) => attempted.has(reference),
    wasRefused: (userReference) => refusedUsers.has(userReference),
    hasUser: (userReference) => users.has(userReference),
    executionsOf: (userReference) => users.get(userReference)?.executions ?? [],
    accountOf,
    executionOfCard: (cardId) => byCard.get(cardId),
    cardsOf: (userReference) => [...(users.get(userReference)?.cards.values() ?? [])],
    write(entry) {
      journal.append(entry);
      apply(entry);
    },
  };
}

function newRequest(asked: Asked, name: string, requestedAt: number) {
  return { ...asked, requestId: derivedId("req", name), requestedAt, answers: [] };
}
