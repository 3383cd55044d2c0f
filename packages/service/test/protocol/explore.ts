import { type Protocol, type Step, stepsFrom } from "./model/model.ts";
import type { State } from "./model/state.ts";
import { afterFaults, brokenIn, brokenWithoutEnd, settle } from "./promises.ts";

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
  const numbers = new Map([[encode(initial), 0]]);
  const states = [initial];
  /** The step that reached a state first, and the number of the state before it. */
  const reached = new Map<number, { step: Step; from: number }>();
  const settled = new Set<string>();
  let transitions = 0;
  for (const [at, state] of states.entries()) {
    const promise = brokenIn(state) ?? brokenAfter(state, protocol, settled);
    if (promise) return { states: states.length, transitions, failure: { promise, steps: pathTo(at) } };
    for (const step of stepsFrom(state, protocol)) {
      transitions += 1;
      const code = encode(step.state);
      const to = numbers.get(code) ?? states.push(step.state) - 1;
      if (!numbers.has(code)) reached.set(to, { step, from: at });
      numbers.set(code, to);
      visit(at, step, to, pathTo);
    }
    if (states.length > maxStates) throw new Error(`There are more than ${maxStates} states.`);
  }
  return { states: states.length, transitions, failure: null };

  function pathTo(end: number): Step[] {
    const last = reached.get(end);
    return last ? [...pathTo(last.from), last.step] : [];
  }
}

/** The promise that stays broken after the faults end. States that lead to a good end are in `settled`. */
function brokenAfter(from: State, protocol: Protocol, settled: Set<string>): string | null {
  const passed: string[] = [];
  let state = afterFaults(from);
  while (passed.length < 200) {
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
  return brokenWithoutEnd(state);
}

/** States that differ in the order of their attempts alone are one state: processes are interchangeable. */
export const encode = ({ attempts, budget, ...parts }: State): string =>
  `${attempts.map(codeOf).sort().join()}|${Object.values(budget).join()}|${Object.values(parts).map(codeOf).join("|")}`;

const numbers = new Map<string, number>();
const known = new WeakMap<object, number>();

/** A part of a state has a number, and equal parts have the same one. Most steps leave most parts as they are. */
function codeOf(part: unknown): unknown {
  if (typeof part !== "object" || part === null) return part;
  if (Array.isArray(part)) return part.map(codeOf).join();
  const before = known.get(part);
  if (before !== undefined) return before;
  const text = JSON.stringify(part);
  const number = numbers.get(text) ?? numbers.size;
  numbers.set(text, number);
  known.set(part, number);
  return number;
}
