import type { Protocol, Transition } from "./model.ts";
import { changeRecord, find, type RecordState, type State } from "./state.ts";
import { lease, mayLease } from "./worker.ts";
import { write } from "./write.ts";

/** A person asks the provider, sends a submission again, requeues a record, or decides in place of the provider. */
export function* personSteps(state: State, protocol: Protocol): Generator<Transition> {
  if (state.budget.acts === 0) return;
  for (const record of state.records) {
    const { ref, needsAttention } = record;
    const isUnresolved = record.resolution === "unresolved";
    for (const resends of isUnresolved ? [false, true] : [false]) {
      if (!mayLease(state, protocol, record)) break;
      const name = resends ? "a person asks, to send it again" : "a person asks";
      yield { name, ref, costs: ["acts", "attempts"], changes: lease(state, protocol, record, { resends }) };
    }
    if (needsAttention) {
      const due = { needsAttention: false, step: "ask", notFound: 0, due: true } as const;
      yield { name: "a person requeues it", ref, costs: ["acts"], changes: changeRecord(state, record, due) };
    }
    if (!isUnresolved) continue;
    if (mayDecide(state, record, "rejected")) {
      const changes = decide(state, protocol, record, "rejected");
      yield { name: "a person enters a rejection", ref, costs: ["acts"], changes };
    }
    if (!state.proposal) {
      const changes = { proposal: { ref, saw: record.row } };
      yield { name: "a person proposes an approval", ref, costs: ["acts"], changes };
    }
  }
  yield* confirm(state, protocol);
}

/** Another person confirms an approval, if nothing changed since it was proposed. */
function* confirm(state: State, protocol: Protocol): Generator<Transition> {
  const { proposal } = state;
  const record = proposal && find(state.records, proposal.ref);
  if (!record || !protocol.rules.mayConfirm(record, proposal.saw) || !mayDecide(state, record, "approved"))
    return;
  const changes = {
    ...decide(state, protocol, record, "approved"),
    ...(record.row !== proposal.saw && { broken: "a confirmation is about what its proposer saw" }),
    proposal: null,
  };
  yield { name: "another person confirms", ref: record.ref, costs: ["acts"], changes };
}

/** A record that is left to a person gets the decision that the provider tells this person. */
function mayDecide(
  { executions }: State,
  { ref, needsAttention }: RecordState,
  status: "approved" | "rejected",
): boolean {
  const decision = find(executions, ref)?.decisions.at(-1) ?? "review";
  return !needsAttention || decision === "review" || decision === status;
}

/** A person's final decision leaves a due record due: a worker may have to ask for the provider's decision. */
function decide(
  state: State,
  protocol: Protocol,
  record: RecordState,
  status: "approved" | "rejected",
): Partial<State> {
  const { records, ...rest } = write(state, protocol, record, protocol.rules.decideManually(record, status));
  const keepsDue = ({ ref }: RecordState) => ref === record.ref && protocol.rules.keepsDue();
  return { ...rest, records: records.map((one) => (keepsDue(one) ? { ...one, due: record.due } : one)) };
}
