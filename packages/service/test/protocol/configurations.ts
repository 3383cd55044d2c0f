import type { Nature, Protocol } from "./model/model.ts";
import { rules } from "./model/rules.ts";
import { type Budget, emptyState, noBudget, type State } from "./model/state.ts";

/** What may happen in one search. The lateness of the provider and the number of faults bound the others. */
export interface Configuration {
  natures: readonly Nature[];
  calls: Protocol["calls"];
  budget: Partial<Budget>;
  overdue?: boolean;
}

const [body, repeated, other] = [
  ["A", null],
  ["A", "x"],
  ["B", null],
] as const;

export const configurations = {
  submission: {
    natures: ["ordered", "unordered"],
    calls: [body, repeated, other],
    budget: { calls: 3, attempts: 4, crashes: 2, faults: 2 },
  },
  events: {
    natures: ["ordered", "unordered"],
    calls: [body, ["B", "x"]],
    budget: { calls: 2, attempts: 4, crashes: 2, decisions: 2 },
  },
  people: {
    natures: ["ordered", "unordered"],
    calls: [body],
    budget: { calls: 1, attempts: 4, crashes: 2, faults: 1, decisions: 1, acts: 2 },
    overdue: true,
  },
  requests: {
    natures: ["ordered", "unordered"],
    calls: [body],
    budget: { calls: 1, attempts: 4, crashes: 2, faults: 1, decisions: 1, requests: 1 },
  },
  renewal: {
    natures: ["ordered", "unordered"],
    calls: [body, other],
    budget: { calls: 2, attempts: 4, crashes: 2, decisions: 2, expiries: 1 },
  },
  restore: {
    natures: ["ordered"],
    calls: [body, repeated, other],
    budget: { calls: 3, attempts: 4, crashes: 2, restores: 1 },
  },
} satisfies Record<string, Configuration>;

export interface Start {
  state: State;
  protocol: Protocol;
}

/** The first state of a configuration, with an empty database. */
export const start = ({ calls, budget, overdue = false }: Configuration, nature: Nature): Start => ({
  state: { ...emptyState, budget: { ...noBudget, ...budget } },
  protocol: { nature, rules, calls, overdue },
});

/** Every configuration with each nature that it has. */
export const searches = Object.entries<Configuration>(configurations).flatMap(([name, configuration]) =>
  configuration.natures.map((nature) => ({ name, nature, ...start(configuration, nature) })),
);
