import { encode, explore, follow } from "../explore.ts";
import { type Protocol, type Step, stepsFrom } from "../model.ts";
import type { State } from "../state.ts";

/**
 * The shortest traces in which each step follows every step that it can follow.
 *
 * @param covered the pairs that earlier traces have; those of these traces are added
 */
export function coverPairs(initial: State, protocol: Protocol, covered: Set<string>): Step[][] {
  const outgoing: Step[][] = [];
  const incoming: Map<string, { from: number; step: Step }>[] = [];
  let pathTo: (state: number) => Step[] = () => [];
  explore(initial, protocol, (from, step, to, path) => {
    pathTo = path;
    if (from === to) return;
    outgoing[from] ??= [];
    outgoing[from].push(step);
    incoming[to] ??= new Map();
    if (!incoming[to].has(step.name)) incoming[to].set(step.name, { from, step });
  });
  const traces: Step[][] = [];
  for (const [state, first] of incoming.entries())
    for (const { from, step } of first?.values() ?? [])
      for (const next of outgoing[state] ?? []) {
        if (covered.has(`${step.name} > ${next.name}`)) continue;
        const before = pathTo(from);
        const trace = [...before, ...continueWith(before.at(-1)?.state ?? initial, protocol, [step, next])];
        traces.push(trace);
        for (const [index, one] of trace.entries()) covered.add(`${trace[index - 1]?.name} > ${one.name}`);
      }
  return traces;
}

/** Steps of equal names and effects, from a state whose attempts may have another order. */
function continueWith(from: State, protocol: Protocol, [step, next]: [Step, Step]): Step[] {
  return follow(
    from,
    protocol,
    [step, next].map(({ name, state }) => ({ name, code: encode(state) })),
  );
}

/** Random walks through the model, each until nothing more can happen. They are the same each time. */
export function* walks(initial: State, protocol: Protocol, count: number): Generator<Step[]> {
  const random = generator(1);
  const taken = new Map<string, number>();
  for (let walk = 0; walk < count; walk += 1) {
    const steps: Step[] = [];
    for (let next = choose(initial, ""); next; next = choose(next.state, next.name)) steps.push(next);
    yield steps;
  }

  /** Chooses the step whose pair with the last one was taken least often. */
  function choose(state: State, last: string): Step | undefined {
    const code = encode(state);
    const possible = [...stepsFrom(state, protocol)].filter((step) => encode(step.state) !== code);
    const rated = possible.map((step) => ({
      step,
      rate: (taken.get(`${last} > ${step.name}`) ?? 0) + random(),
    }));
    const [next] = rated.sort((one, other) => one.rate - other.rate);
    if (next) taken.set(`${last} > ${next.step.name}`, (taken.get(`${last} > ${next.step.name}`) ?? 0) + 1);
    return next?.step;
  }
}

/** Numbers from 0 to 1 (mulberry32). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
