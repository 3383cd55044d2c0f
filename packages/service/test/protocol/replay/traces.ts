import { encode, explore, follow } from "../explore.ts";
import { type Protocol, type Step, stepsFrom } from "../model/model.ts";
import { find, type State } from "../model/state.ts";

/** How often traces took each step after the one before it, and each step in the state of its record. */
export type Taken = Map<string, number>;

/**
 * Traces in which each step follows every step that it can follow, and happens in every state of its record in which it
 * can happen. Each is the shortest way to something new, and goes on while there is something new.
 *
 * @param taken what earlier traces took; what these take is added
 */
export function cover(initial: State, protocol: Protocol, taken: Taken): Step[][] {
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
  for (const [place, before] of incoming.entries())
    for (const { from, step } of before?.values() ?? [])
      for (const next of outgoing[place] ?? []) {
        if (timesTaken(taken, step, next) > 0) continue;
        const way = pathTo(from);
        const trace = [...way, ...repeat(way.at(-1)?.state ?? initial, protocol, [step, next])];
        for (const [index, one] of trace.entries())
          take(taken, trace[index - 1] ?? { name: "", state: initial }, one);
        for (let more = leastTaken(taken, protocol, next); more?.times === 0; ) {
          take(taken, trace.at(-1) as Step, more.step);
          trace.push(more.step);
          more = leastTaken(taken, protocol, more.step);
        }
        traces.push(trace);
      }
  return traces;
}

/** Steps of equal names and effects, from a state whose attempts may have another order. */
function repeat(from: State, protocol: Protocol, steps: readonly Step[]): Step[] {
  return follow(
    from,
    protocol,
    steps.map(({ name, state }) => ({ name, code: encode(state) })),
  );
}

/** Walks through the model, each until nothing more can happen, by the steps that were taken least often. */
export function* walks(initial: State, protocol: Protocol, count: number): Generator<Step[]> {
  const taken: Taken = new Map();
  for (let walk = 0; walk < count; walk += 1) {
    const steps: Step[] = [];
    let last: Last = { name: "", state: initial };
    for (let next = leastTaken(taken, protocol, last); next; next = leastTaken(taken, protocol, last)) {
      take(taken, last, next.step);
      steps.push(next.step);
      last = next.step;
    }
    yield steps;
  }
}

type Last = Pick<Step, "name" | "state">;

function leastTaken(taken: Taken, protocol: Protocol, last: Last) {
  const code = encode(last.state);
  const [first] = [...stepsFrom(last.state, protocol)]
    .filter((step) => encode(step.state) !== code)
    .map((step) => ({ step, times: timesTaken(taken, last, step) }))
    .sort((one, other) => one.times - other.times);
  return first;
}

const timesTaken = (taken: Taken, last: Last, step: Step): number =>
  Math.min(...goalsOf(last, step).map((goal) => taken.get(goal) ?? 0));

function take(taken: Taken, last: Last, step: Step): void {
  for (const goal of goalsOf(last, step)) taken.set(goal, (taken.get(goal) ?? 0) + 1);
}

/** The pair of steps, and the step in the state of its record. */
function goalsOf(last: Last, { name, ref }: Step): string[] {
  const record = find(last.state.records, ref);
  return [`${last.name} > ${name}`, `${record?.row} ${record?.step} ${record?.notFound} > ${name}`];
}
