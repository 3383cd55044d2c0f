import { encode, explore } from "../explore.ts";
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
  const outgoing: Pick<Step, "name" | "ref">[][] = [];
  const incoming: Map<string, { from: number; step: Step }>[] = [];
  let pathTo: (state: number) => Step[] = () => [];
  explore(initial, protocol, (from, step, to, path) => {
    pathTo = path;
    if (from === to) return;
    const { name, ref } = step;
    outgoing[from] ??= [];
    outgoing[from].push({ name, ref });
    incoming[to] ??= new Map();
    if (!incoming[to].has(name)) incoming[to].set(name, { from, step });
  });
  const traces: Step[][] = [];
  for (const [place, steps] of incoming.entries())
    for (const { from, step } of steps?.values() ?? []) {
      while (outgoing[place]?.some((next) => timesTaken(taken, step, next) === 0)) {
        const way = [...pathTo(from), step];
        for (const [index, one] of way.entries()) take(taken, way[index - 1] ?? start(initial), one);
        traces.push([...way, ...walk(taken, protocol, step, 0)]);
      }
    }
  return traces;
}

/** Walks through the model, each until nothing more can happen, by the steps that were taken least often. */
export function walks(initial: State, protocol: Protocol, count: number): Step[][] {
  const taken: Taken = new Map();
  return Array.from({ length: count }, () => [...walk(taken, protocol, start(initial))]);
}

type Last = Pick<Step, "name" | "state">;
const start = (state: State): Last => ({ name: "", state });

/** Goes on by the step that was taken least often, as long as it was taken no more than `most` times. */
function* walk(
  taken: Taken,
  protocol: Protocol,
  from: Last,
  most = Number.POSITIVE_INFINITY,
): Generator<Step> {
  const code = encode(from.state);
  const [next] = [...stepsFrom(from.state, protocol)]
    .filter((step) => encode(step.state) !== code)
    .map((step) => ({ step, times: timesTaken(taken, from, step) }))
    .sort((one, other) => one.times - other.times);
  if (!next || next.times > most) return;
  take(taken, from, next.step);
  yield next.step;
  yield* walk(taken, protocol, next.step, most);
}

const timesTaken = (taken: Taken, last: Last, step: Pick<Step, "name" | "ref">): number =>
  Math.min(...goalsOf(last, step).map((goal) => taken.get(goal) ?? 0));

function take(taken: Taken, last: Last, step: Step): void {
  for (const goal of goalsOf(last, step)) taken.set(goal, (taken.get(goal) ?? 0) + 1);
}

/** The pair of steps, and the step in the state of its record. */
function goalsOf(last: Last, { name, ref }: Pick<Step, "name" | "ref">): string[] {
  const record = find(last.state.records, ref);
  return [`${last.name} > ${name}`, `${record?.row} ${record?.step} ${record?.notFound} > ${name}`];
}
