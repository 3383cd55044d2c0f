import { type Protocol, step, type Transitions } from "./model.ts";
import { withReport } from "./request.ts";
import { isFinal } from "./rules.ts";
import { change, find, type RecordState, type State, type Status, type Verdict } from "./state.ts";
import { mayLease, supersede } from "./worker.ts";
import { write } from "./write.ts";

/** An event of the provider arrives at any time, in any order, and any number of times. */
export function* eventSteps(state: State, protocol: Protocol, record: RecordState): Transitions {
  const execution = find(state.executions, record.ref);
  if (!execution) return;
  const { decisions, hasNews, request } = execution;
  const { rules } = protocol;
  const heard = change.execution(state, execution, { hasNews: false });
  if (protocol.nature === "unordered") {
    // Without an order it only says that there is something to ask for.
    if (!hasNews || !mayLease(state, protocol, record)) return;
    const due = change.record(state, record, { step: "ask", notFound: 0, due: true });
    const fenced = rules.fencesAtEvents() && { attempts: supersede(state, rules, record.ref) };
    yield step("an event makes it due", { ...heard, ...due, ...fenced });
    return;
  }
  for (const [index, status] of decisions.entries()) {
    const after = rules.apply(record, verdict(status, index + 1));
    const isLast = index === decisions.length - 1;
    if (after === record && !(isLast && hasNews)) continue;
    const written = after !== record && write(state, protocol, record, after);
    if (isLast) yield step(`an event brings the decision: ${status}`, { ...heard, ...written });
    else yield step(`an event brings an earlier decision: ${status}`, { ...written });
  }
  if (!request || isFinal(record)) return;
  // It has the status of the review, of which the provider may have told nothing yet.
  const reviewed = rules.apply(record, verdict("review", 1));
  const reported = withReport(reviewed === record ? record : rules.write(reviewed), "open");
  if (reported !== record) yield step("an event brings the request", change.record(state, record, reported));
}

const verdict = (status: Status, revision: number): Verdict => ({
  ...{ outcome: "answered", status, revision, asks: null },
});
