import { invariants, type Protocol, type Step, stepsFrom } from "./model.ts";
import { isFinal } from "./rules.ts";
import { type AttemptState, noBudget, type State } from "./state.ts";

export interface Exploration {
  states: number;
  transitions: number;
  /** The shortest way to a broken promise. */
  failure: { promise: string; steps: Step[] } | null;
}

/** Called with each transition. `pathTo` gives the shortest way to a state that was reached. */
type Visit = (from: number, step: Step, to: number, pathTo: (state: number) => Step[]) => void;

/** Explores every state that can be reached, in the order of their distance, until a promise is broken. */
export function explore(initial: State, protocol: Protocol, visit: Visit = () => {}): Exploration {
  const seen = new Map<string, number>();
  const states: State[] = [];
  const parents: number[] = [];
  const calm = new Set<string>();
  let transitions = 0;
  const numberOfState = (state: State, parent: number): number => {
    const key = encode(state);
    const before = seen.get(key);
    if (before !== undefined) return before;
    seen.set(key, states.length);
    parents.push(parent);
    return states.push(state) - 1;
  };
  numberOfState(initial, -1);
  for (let at = 0; at < states.length; at += 1) {
    const state = states[at] as State;
    const promise = brokenIn(state) ?? unresolvedAfter(state, protocol, calm);
    if (promise) return { states: states.length, transitions, failure: { promise, steps: pathTo(at) } };
    for (const step of stepsFrom(state, protocol)) {
      transitions += 1;
      visit(at, step, numberOfState(step.state, at), pathTo);
    }
    if (states.length > maxStates) throw new Error(`There are more than ${maxStates} states.`);
  }
  return { states: states.length, transitions, failure: null };

  function pathTo(end: number): Step[] {
    const path: number[] = [];
    for (let at = end; at > 0; at = parents[at] as number) path.unshift(at);
    return follow(
      initial,
      protocol,
      path.map((at) => ({ code: encode(states[at] as State) })),
    );
  }
}

const maxStates = 1_000_000;

/** The steps that lead from a state through these states, by the steps of these names where they are given. */
export function follow(
  from: State,
  protocol: Protocol,
  way: readonly { code: string; name?: string }[],
): Step[] {
  let state = from;
  return way.map(({ code, name }) => {
    const isIt = (one: Step) => (name === undefined || one.name === name) && encode(one.state) === code;
    const step = [...stepsFrom(state, protocol)].find(isIt);
    if (!step) throw new Error("No step leads to the state.");
    state = step.state;
    return step;
  });
}

const brokenIn = (state: State) =>
  state.broken ?? Object.entries(invariants).find(([, holds]) => !holds(state))?.[0] ?? null;

/** States that differ in the order of their attempts alone are one state: processes are interchangeable. */
export function encode(s: State): string {
  const owners =
    s.attempts.length > 1 ? s.attempts.map(numberOf).sort().join() : s.attempts.map(numberOf).join();
  const lists = [s.records, s.executions, s.keys, s.told].map((list) => list.map(numberOf).join()).join("|");
  const others = [
    s.remembered.join(),
    s.proposal && numberOf(s.proposal),
    s.backup && numberOf(s.backup),
  ].join("|");
  return `${owners}|${lists}|${others}|${s.restored}|${s.refs}|${Object.values(s.budget).join()}|${s.broken}`;
}

const numbers = new Map<string, number>();
const known = new WeakMap<object, number>();

/** A number for a part of a state: equal parts have the same one. Most steps leave most parts as they are. */
function numberOf(part: object): number {
  const before = known.get(part);
  if (before !== undefined) return before;
  const text = JSON.stringify(part);
  const number = numbers.get(text) ?? numbers.size;
  numbers.set(text, number);
  known.set(part, number);
  return number;
}

const unbounded = { ...noBudget, attempts: 1_000 };

/**
 * What stays wrong after the faults end. From here on nobody calls, nothing fails, and what was sent arrives: then every
 * record has the provider's decision, or waits for a person. States that led to a good end are in `calm`.
 */
function unresolvedAfter(from: State, protocol: Protocol, calm: Set<string>): string | null {
  const passed: string[] = [];
  let state: State = { ...from, budget: unbounded, told: [], backup: null };
  for (let count = 0; count < 200; count += 1) {
    const key = encode(state);
    if (calm.has(key)) return rest();
    passed.push(key);
    const next = [...stepsFrom(state, { ...protocol, overdue: false })].find((step) => isCalm(step, state));
    if (next) {
      state = { ...next.state, budget: unbounded };
      continue;
    }
    const undecided = state.executions.find(
      ({ effects, decisions }) => effects > 0 && decisions.at(-1) === "review",
    );
    if (undecided) {
      if (state.records.some(({ request }) => request?.status === "answered" && !request.sent))
        return "the provider never gets an answer";
      const decided = {
        ...undecided,
        decisions: [...undecided.decisions, "approved" as const],
        hasNews: true,
      };
      state = { ...state, executions: state.executions.map((one) => (one === undecided ? decided : one)) };
      continue;
    }
    const open = state.records.find((record) => !isFinal(record) && !record.needsAttention);
    if (open) return "a record stays unresolved when the faults end";
    const wrong = state.records.find(({ ref, status, needsAttention, resolution }) => {
      const decision = state.executions.find((one) => one.ref === ref)?.decisions.at(-1);
      return (
        decision !== undefined && decision !== status && !(needsAttention && resolution === "unresolved")
      );
    });
    if (wrong) return "a record misses the provider's last decision";
    return rest();
  }
  return "a record comes to no rest";

  function rest(): null {
    for (const key of passed) calm.add(key);
    return null;
  }
}

const calmNames = [
  "the provider acts late",
  "the provider gets it",
  "the provider answers the query",
  "the provider does not know it",
  "the provider gets the answer",
  "the request is stored",
  "the answer is claimed",
  "the answer is not sent again yet",
  "the verdict is stored",
  "the next attempt is planned",
  "a later attempt has the record",
  "a person sends it again",
  "the check asks the provider for its executions",
  "an event brings the decision",
  "an event makes it due",
  "a worker leases it",
  "a worker leases it after the lease of another",
];

/** A lease is taken over only after its attempt has ended, and a record that waits for its decision is left alone. */
function isCalm({ name, ref }: Step, state: State): boolean {
  if (!calmNames.includes(name)) return false;
  const isOwned = state.attempts.some((one: AttemptState) => one.ref === ref && one.owns);
  if (name.startsWith("an event"))
    return !isOwned && state.executions.some((one) => one.ref === ref && one.hasNews);
  if (!name.startsWith("a worker")) return true;
  const record = state.records.find((one) => one.ref === ref);
  const execution = state.executions.find((one) => one.ref === ref);
  const isAnswered = record?.request?.status === "answered" && !record.request.sent;
  const isNews =
    record?.resolution === "unresolved" || isAnswered || record?.status !== execution?.decisions.at(-1);
  return !isOwned && isNews;
}
