import type { Protocol, Transition } from "./model.ts";
import { changeExecution, type Execution, type State, type Verdict } from "./state.ts";

/** The provider acts on a late submission, decides, or asks for a document. */
export function* providerSteps(state: State, protocol: Protocol): Generator<Transition> {
  for (const execution of state.executions) {
    const { ref, decisions, request, late, effects } = execution;
    for (const { execution: after, verdict } of late > 0 ? arrivals(protocol, execution) : []) {
      const changes = changeExecution(state, execution, { ...after, late: late - 1 });
      yield { name: "the provider acts late", ref, how: verdict.outcome, changes };
    }
    if (effects === 0) continue;
    const last = decisions.at(-1);
    for (const status of ["approved", "rejected"] as const) {
      if (status === last) continue;
      const decided = { decisions: [...decisions, status], hasNews: true, isNew: false };
      const changes = changeExecution(state, execution, decided);
      yield { name: "the provider decides", ref, how: status, costs: ["decisions"], changes };
    }
    for (const refuses of last === "review" && !request ? [false, true] : []) {
      const how = refuses ? "and will refuse the first files" : "";
      const changes = changeExecution(state, execution, {
        request: { status: "open", answered: [], refuses },
      });
      yield { name: "the provider asks for a document", ref, how, costs: ["requests"], changes };
    }
  }
}

interface Arrival {
  execution: Execution;
  verdict: Verdict;
}

/** What the provider does with a submission that arrives, and what it replies. */
export function arrivals(protocol: Protocol, execution: Execution): Arrival[] {
  const { effects, refused, decisions } = execution;
  const isOrdered = protocol.nature === "ordered";
  if (isOrdered && (effects > 0 || refused)) return [{ execution, verdict: verdictOf(protocol, execution) }];
  const reviewed = effects > 0 ? decisions : (["review"] as const);
  const executed = { ...execution, effects: effects + 1, decisions: reviewed, isNew: true };
  const arrival = { execution: executed, verdict: verdictOf(protocol, executed) };
  return effects > 0
    ? [arrival]
    : [arrival, { execution: { ...execution, refused: isOrdered }, verdict: refusal }];
}

const refusal: Verdict = { outcome: "refused", status: null, revision: null, asks: null };

/** What the provider says about a submission that it has. */
export function verdictOf({ nature }: Protocol, { decisions, refused, request }: Execution): Verdict {
  if (refused) return refusal;
  const status = decisions.at(-1) ?? null;
  const asks = status === "review" ? (request?.status ?? null) : null;
  return { outcome: "answered", status, revision: nature === "ordered" ? decisions.length : null, asks };
}
