import { attemptSteps } from "./attempt.ts";
import { submissions, userSteps } from "./client.ts";
import { eventSteps } from "./event.ts";
import { personSteps } from "./person.ts";
import { providerSteps } from "./provider.ts";
import { backupSteps, checkSteps } from "./restore.ts";
import type { Rules } from "./rules.ts";
import { type Body, type Budget, find, type Key, type Ref, type State } from "./state.ts";
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

/** What can happen: what it changes, and what it takes from the budget. */
interface Transition {
  name: string;
  changes: Partial<State>;
  costs: (keyof Budget)[];
}
export type Transitions = Generator<Transition>;

export const step = (name: string, changes: Partial<State>, ...costs: (keyof Budget)[]): Transition => ({
  ...{ name, changes, costs },
});

/** A transition about a record, and the state after it. */
export interface Step {
  name: string;
  ref: Ref;
  /** The place of the attempt that makes it. */
  attempt: number | undefined;
  state: State;
}

/** Every transition that is possible in a state. */
export function* stepsFrom(state: State, protocol: Protocol): Generator<Step> {
  for (const [ref, transitions, attempt] of transitionsFrom(state, protocol))
    for (const { name, changes, costs } of transitions) {
      const budget = costs.length > 0 ? { ...state.budget } : state.budget;
      for (const cost of costs) budget[cost] -= 1;
      const isPossible = costs.every((cost) => budget[cost] >= 0);
      if (isPossible) yield { name, ref, attempt, state: { ...state, ...changes, budget } };
    }
}

const recordSteps = [userSteps, workerSteps, eventSteps, personSteps];

function* transitionsFrom(state: State, protocol: Protocol): Generator<[Ref, Transitions, number?]> {
  const { records, attempts, executions, restored } = state;
  for (const execution of executions) yield [execution.ref, providerSteps(state, protocol, execution)];
  if (restored) {
    yield [0, checkSteps(state, protocol)];
    return;
  }
  yield* submissions(state, protocol);
  for (const [place, attempt] of attempts.entries()) {
    const [record, execution] = [find(records, attempt.ref), find(executions, attempt.ref)];
    if (record && execution)
      yield [attempt.ref, attemptSteps({ state, protocol, attempt, record, execution }), place];
  }
  for (const record of records)
    for (const steps of recordSteps) yield [record.ref, steps(state, protocol, record)];
  yield [0, backupSteps(state)];
}
