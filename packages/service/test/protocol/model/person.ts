import { type Protocol, step, type Transitions } from "./model.ts";
import { change, find, type RecordState, type State } from "./state.ts";
import { lease, mayLease } from "./worker.ts";
import { write } from "./write.ts";

/** A person asks the provider, sends a submission again, requeues a record, or decides in place of the provider. */
export function* personSteps(state: State, protocol: Protocol, record: RecordState): Transitions {
  if (state.budget.acts === 0) return;
  const { ref, row, needsAttention } = record;
  const isUnresolved = record.resolution === "unresolved";
  if (mayLease(state, protocol, record)) {
    const ask = (resends: boolean) => lease(state, protocol, record, { resends });
    yield step("a person asks", ask(false), "acts", "attempts");
    if (isUnresolved) yield step("a person asks, to send it again", ask(true), "acts", "attempts");
  }
  const due = { needsAttention: false, step: "ask", notFound: 0, due: true } as const;
  if (needsAttention) yield step("a person requeues it", change.record(state, record, due), "acts");
  const { proposal } = state;
  if (isUnresolved && mayDecide(state, record, "rejected"))
    yield step("a person enters a rejection", decide(state, protocol, record, "rejected"), "acts");
  if (isUnresolved && !proposal)
    yield step("a person proposes an approval", { proposal: { ref, saw: row } }, "acts");
  if (proposal?.ref !== ref || !protocol.rules.mayConfirm(record, proposal.saw)) return;
  const unseen = row !== proposal.saw && { broken: "a confirmation is about what its proposer saw" };
  const confirmed = { ...decide(state, protocol, record, "approved"), ...unseen, proposal: null };
  if (mayDecide(state, record, "approved")) yield step("another person confirms", confirmed, "acts");
}

type Final = "approved" | "rejected";

/** A record that is left to a person gets the decision that the provider tells this person. */
function mayDecide({ executions }: State, { ref, needsAttention }: RecordState, status: Final): boolean {
  const decision = find(executions, ref)?.decisions.at(-1) ?? "review";
  return !needsAttention || decision === "review" || decision === status;
}

/** A person's final decision leaves a due record due: a worker may have to ask for the provider's decision. */
function decide(state: State, protocol: Protocol, record: RecordState, status: Final): Partial<State> {
  const { rules } = protocol;
  const { records, ...rest } = write(state, protocol, record, rules.decideManually(record, status));
  const keepsDue = ({ ref }: RecordState) => ref === record.ref && rules.keepsDue();
  return { ...rest, records: records.map((one) => (keepsDue(one) ? { ...one, due: record.due } : one)) };
}
