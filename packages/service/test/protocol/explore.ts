import { type Protocol, type Step, stepsFrom } from "./model/model.ts";
import type { State } from "./model/state.ts";
import { afterFaults, brokenIn, settle } from "./promises.ts";

export interface Exploration {
  states: number;
  transitions: number;
  /** The shortest way to a broken promise. */
  failure: { promise: string; steps: Step[] } | null;
}

/** Called with each transition. `pathTo` gives the shortest way to a state that was reached. */
type Visit = (from: number, step: Step, to: number, pathTo: (state: number) => Step[]) => void;

const maxStates = 1_000_000;

/** Explores every state that can be reached, in the order of their distance, until a promise is broken. */
export function explore(initial: State, protocol: Protocol, visit: Visit = () => {}): Exploration {
  const seen = new Map<string, number>();
  const states: State[] = [];
  const parents: number[] = [];
  const settled = new Set<string>();
  let transitions = 0;
  const numberOfState = (state: State, parent: number): number => {
    const code = encode(state);
    const before = seen.get(code);
    if (before !== undefined) return before;
    seen.set(code, states.length);
    parents.push(parent);
    return states.push(state) - 1;
  };
  numberOfState(initial, -1);
  for (let at = 0; at < states.length; at += 1) {
    const state = states[at] as State;
    const promise = brokenIn(state) ?? brokenAfter(state, protocol, settled);
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

/** The promise that stays broken after the faults end. States that lead to a good end are in `settled`. */
function brokenAfter(from: State, protocol: Protocol, settled: Set<string>): string | null {
  const passed: string[] = [];
  for (let state = afterFaults(from); passed.length < 200; ) {
    const code = encode(state);
    const next = settled.has(code) ? null : settle(state, protocol);
    if (typeof next === "string") return next;
    passed.push(code);
    if (next === null) {
      for (const one of passed) settled.add(one);
      return null;
    }
    state = next;
  }
  return "each record comes to rest";
}

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

/** States that differ in the order of their attempts alone are one state: processes are interchangeable. */
export function encode({ attempts, broken, restored, refs, ...parts }: State): string {
  const { records, executions, keys, remembered, proposal, backup, budget } = parts;
  const lists = [records, executions, keys, remembered, proposal, backup, budget].map(numberOf);
  return `${attempts.map(numberOf).sort().join()}|${lists.join()}|${restored}|${refs}|${broken}`;
}

const numbers = new Map<string, number>();
const known = new WeakMap<object, number>();

/** A number for a part of a state: equal parts have the same one. Most steps leave most parts as they are. */
function numberOf(part: object | null): number {
  if (part === null) return -1;
  const before = known.get(part);
  if (before !== undefined) return before;
  const text = Array.isArray(part)
    ? part.map((one) => (typeof one === "object" ? numberOf(one) : one)).join()
    : JSON.stringify(part);
  const number = numbers.get(text) ?? numbers.size;
  numbers.set(text, number);
  known.set(part, number);
  return number;
}
