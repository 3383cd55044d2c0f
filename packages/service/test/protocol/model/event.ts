import type { Protocol, Transition } from "./model.ts";
import { withReport } from "./request.ts";
import { isFinal } from "./rules.ts";
import {
  changeExecution,
  changeRecord,
  type Execution,
  find,
  type RecordState,
  type State,
  type Status,
  type Verdict,
} from "./state.ts";
import { mayLease, supersede } from "./worker.ts";
import { write } from "./write.ts";

/** An event of the provider arrives at any time, in any order, and any number of times. */
export function* eventSteps(state: State, protocol: Protocol): Generator<Transition> {
  const bring = protocol.nature === "ordered" ? bringVerdicts : makeDue;
  for (const execution of state.executions) {
    const record = find(state.records, execution.ref);
    if (record) yield* bring(state, protocol, execution, record);
  }
}

/** An event with an order brings a verdict, or a request for a document. */
function* bringVerdicts(
  state: State,
  protocol: Protocol,
  execution: Execution,
  record: RecordState,
): Generator<Transition> {
  const { ref, decisions, hasNews, request } = execution;
  for (const [index, status] of decisions.entries()) {
    const after = protocol.rules.apply(record, verdict(status, index + 1));
    const isLast = index === decisions.length - 1;
    if (after === record && !(isLast && hasNews)) continue;
    const heard = isLast && changeExecution(state, execution, { hasNews: false });
    const name = isLast ? "an event brings the decision" : "an event brings an earlier decision";
    const written = after !== record && write(state, protocol, record, after);
    yield { name, ref, how: status, changes: { ...heard, ...written } };
  }
  if (!request || isFinal(record)) return;
  // It has the status of the review, of which the provider may have told nothing yet.
  const reviewed = protocol.rules.apply(record, verdict("review", 1));
  const reported = withReport(reviewed === record ? record : protocol.rules.write(reviewed), "open");
  if (reported !== record)
    yield { name: "an event brings the request", ref, changes: changeRecord(state, record, reported) };
}

const verdict = (status: Status, revision: number): Verdict => ({
  ...{ outcome: "answered", status, revision, asks: null },
});

/** An event without an order only says that there is something to ask for. */
function* makeDue(
  state: State,
  protocol: Protocol,
  execution: Execution,
  record: RecordState,
): Generator<Transition> {
  const { ref, hasNews } = execution;
  if (!hasNews || !mayLease(state, protocol, record)) return;
  const changes = {
    ...changeExecution(state, execution, { hasNews: false }),
    ...changeRecord(state, record, { step: "ask", notFound: 0, due: true }),
    ...(protocol.rules.fencesAtEvents() && { attempts: supersede(state, protocol, ref) }),
  };
  yield { name: "an event makes it due", ref, changes };
}
