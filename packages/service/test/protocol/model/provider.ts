import { type Protocol, step, type Transitions } from "./model.ts";
import { change, type Execution, type State, type Verdict } from "./state.ts";

/** The provider acts on a late submission, decides, or asks for a document. */
export function* providerSteps(state: State, protocol: Protocol, execution: Execution): Transitions {
  const { decisions, request, late, effects } = execution;
  const to = (changes: Partial<Execution>) => change.execution(state, execution, changes);
  for (const { name, after } of late > 0 ? arrivals(protocol, execution) : [])
    yield step(`${name} late`, to({ ...after, late: late - 1 }));
  if (effects === 0) return;
  const last = decisions.at(-1);
  for (const status of ["approved", "rejected"] as const) {
    const decided = { decisions: [...decisions, status], hasNews: true, isNew: false };
    if (status !== last) yield step(`the provider decides: ${status}`, to(decided), "decisions");
  }
  if (last !== "review" || request) return;
  const asks = (refuses: boolean) => to({ request: { status: "open", answered: [], refuses } });
  yield step("the provider asks for a document", asks(false), "requests");
  yield step("the provider asks for a document, and will refuse the first files", asks(true), "requests");
}

interface Arrival {
  name: string;
  after: Execution;
  verdict: Verdict;
}

/** What the provider can do with a submission that arrives, and what it replies. */
export function arrivals(protocol: Protocol, execution: Execution): Arrival[] {
  const { effects, refused, decisions } = execution;
  const isOrdered = protocol.nature === "ordered";
  const arrival = (name: string, after: Execution, verdict = verdictOf(protocol, after)) => ({
    ...{ name, after, verdict },
  });
  if (isOrdered && (effects > 0 || refused)) return [arrival("the provider repeats its result", execution)];
  const reviewed = effects > 0 ? decisions : (["review"] as const);
  const executed = { ...execution, effects: effects + 1, decisions: reviewed, isNew: true };
  const executes = arrival("the provider executes the submission", executed);
  const refuses = { ...execution, refused: isOrdered };
  return effects > 0
    ? [executes]
    : [executes, arrival("the provider refuses the submission", refuses, refusal)];
}

const refusal: Verdict = { outcome: "refused", status: null, revision: null, asks: null };

/** What the provider says about a submission that it has. */
export function verdictOf({ nature }: Protocol, { decisions, refused, request }: Execution): Verdict {
  if (refused) return refusal;
  const status = decisions.at(-1) ?? null;
  const asks = status === "review" ? (request?.status ?? null) : null;
  return { outcome: "answered", status, revision: nature === "ordered" ? decisions.length : null, asks };
}
