import { attemptSteps } from "./attempt.ts";
import { clientSteps } from "./client.ts";
import { eventSteps } from "./event.ts";
import { personSteps } from "./person.ts";
import { providerSteps } from "./provider.ts";
import { backupSteps, checkStep } from "./restore.ts";
import type { Rules } from "./rules.ts";
import type { Body, Budget, Key, Ref, State } from "./state.ts";
import { workerSteps } from "./worker.ts";

/**
 * How a provider treats our reference. `ordered` repeats its result for a reference that it has, for ever, and numbers
 * its decisions. `unordered` executes whatever arrives, within a time that every lease exceeds, and numbers nothing.
 */
export type Nature = "ordered" | "unordered";

export interface Protocol {
  nature: Nature;
  rules: Rules;
  /** The bodies and keys with which clients call. */
  calls: readonly (readonly [Body, Key | null])[];
  /** Attempts may end after the time in which a submission has to be resolved. */
  overdue: boolean;
}

/** One transition: what happens to which record, what it takes from the budget, and what it changes. */
export interface Transition {
  name: string;
  ref: Ref;
  /** What tells it from others of its name. */
  how?: string;
  costs?: readonly (keyof Budget)[];
  changes: Partial<State>;
  /** The place of the attempt that does it. */
  attempt?: number;
}

export interface Step extends Transition {
  state: State;
}

/** Every transition that is possible in a state, and the state after it. */
export function* stepsFrom(state: State, protocol: Protocol): Generator<Step> {
  for (const transition of transitionsFrom(state, protocol)) {
    const { changes, costs } = transition;
    const budget = costs ? { ...state.budget } : state.budget;
    for (const cost of costs ?? []) budget[cost] -= 1;
    if (!costs?.some((cost) => budget[cost] < 0))
      yield { ...transition, state: { ...state, ...changes, budget } };
  }
}

function* transitionsFrom(state: State, protocol: Protocol): Generator<Transition> {
  yield* providerSteps(state, protocol);
  if (state.restored) {
    yield checkStep(state, protocol);
    return;
  }
  yield* clientSteps(state, protocol);
  for (const [place, attempt] of state.attempts.entries())
    for (const one of attemptSteps(state, protocol, attempt)) yield { ...one, attempt: place };
  yield* workerSteps(state, protocol);
  yield* eventSteps(state, protocol);
  yield* personSteps(state, protocol);
  yield* backupSteps(state);
}
