import type { Nature, Protocol } from "./model.ts";
import { rules } from "./rules.ts";
import { type Budget, noBudget, type State } from "./state.ts";

/** What may happen in one search. The lateness of the provider and the number of faults bound the others. */
export interface Configuration {
  natures: readonly Nature[];
  calls: Protocol["calls"];
  budget: Partial<Budget>;
  overdue?: boolean;
}

export const configurations = {
  submission: {
    natures: ["ordered", "unordered"],
    calls: [
      ["A", null],
      ["A", "x"],
      ["B", null],
    ],
    budget: { calls: 3, attempts: 4, crashes: 2, faults: 2 },
  },
  events: {
    natures: ["ordered", "unordered"],
    calls: [
      ["A", null],
      ["B", "x"],
    ],
    budget: { calls: 2, attempts: 4, crashes: 1, decisions: 2 },
  },
  people: {
    natures: ["ordered", "unordered"],
    calls: [["A", null]],
    budget: { calls: 1, attempts: 3, crashes: 1, faults: 1, decisions: 1, acts: 2 },
    overdue: true,
  },
  requests: {
    natures: ["ordered", "unordered"],
    calls: [["A", null]],
    budget: { calls: 1, attempts: 4, crashes: 1, faults: 1, decisions: 1, requests: 1 },
  },
  renewal: {
    natures: ["ordered", "unordered"],
    calls: [
      ["A", null],
      ["B", null],
    ],
    budget: { calls: 2, attempts: 3, crashes: 1, decisions: 2, expiries: 1 },
  },
  restore: {
    natures: ["ordered"],
    calls: [
      ["A", null],
      ["A", "x"],
      ["B", null],
    ],
    budget: { calls: 3, attempts: 3, crashes: 1, restores: 1 },
  },
} satisfies Record<string, Configuration>;

export interface Start {
  state: State;
  protocol: Protocol;
}

/** The first state of a configuration, with an empty database. */
export function start({ calls, budget, overdue = false }: Configuration, nature: Nature): Start {
  const stored = { records: [], keys: [], proposal: null, remembered: [] };
  const rest = {
    attempts: [],
    executions: [],
    told: [],
    backup: null,
    restored: false,
    refs: 0,
    broken: null,
  };
  const state = { ...stored, ...rest, budget: { ...noBudget, ...budget } };
  return { state, protocol: { nature, rules, calls, overdue } };
}

/** Every configuration with each nature that it has. */
export const searches = Object.entries<Configuration>(configurations).flatMap(([name, configuration]) =>
  configuration.natures.map((nature) => ({ name, nature, ...start(configuration, nature) })),
);
