import type { Nature, Protocol } from "./model/model.ts";
import { rules } from "./model/rules.ts";
import { type Budget, emptyState, noBudget, type State } from "./model/state.ts";

/** What may happen in one search. Without `natures`, it is made with each. */
interface Configuration {
  natures?: readonly Nature[];
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
  submission: { calls: [body, repeated, other], budget: { faults: 3 } },
  events: { calls: [body, ["B", "x"]], budget: { faults: 1, decisions: 2 } },
  people: { calls: [body], budget: { faults: 1, decisions: 1, acts: 2 }, overdue: true },
  requests: { calls: [body], budget: { faults: 1, decisions: 1, requests: 1 } },
  renewal: { calls: [body, other], budget: { decisions: 2, expiries: 1 } },
  restore: { natures: ["ordered"], calls: [body, repeated, other], budget: { restores: 1 } },
} satisfies Record<string, Configuration>;

/** The first state of a configuration: an empty database, four attempts, two crashes, and a call of each kind. */
export function start(
  { calls, budget, overdue = false }: Configuration,
  nature: Nature,
): { state: State; protocol: Protocol } {
  const bounds = { ...noBudget, calls: calls.length, attempts: 4, crashes: 2, ...budget };
  return { state: { ...emptyState, budget: bounds }, protocol: { nature, rules, calls, overdue } };
}

/** Every configuration with each nature that it has. */
export const searches = Object.entries<Configuration>(configurations).flatMap(([name, configuration]) => {
  const { natures = ["ordered", "unordered"] } = configuration;
  return natures.map((nature) => ({ name, nature, ...start(configuration, nature) }));
});
