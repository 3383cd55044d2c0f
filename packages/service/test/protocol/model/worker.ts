import { isVerdict } from "./attempt.ts";
import type { Protocol, Transition } from "./model.ts";
import {
  type AttemptState,
  changeRecord,
  find,
  newAttempt,
  type RecordState,
  type Ref,
  type State,
} from "./state.ts";

/** A worker leases a record that is due. */
export function* workerSteps(state: State, protocol: Protocol): Generator<Transition> {
  for (const record of state.records) {
    if (!record.due || !mayLease(state, protocol, record)) continue;
    const name = record.leased ? "a worker leases it after the lease of another" : "a worker leases it";
    yield { name, ref: record.ref, costs: ["attempts"], changes: lease(state, protocol, record) };
  }
}

/** A lease ends by time. An unordered provider has acted by then on all that its owner sent. */
export function mayLease(state: State, { nature }: Protocol, { ref, leased }: RecordState): boolean {
  const isSending = (one: AttemptState) => (one.reply === null ? one.step === "send" : one.answer !== null);
  const isHeld = () => state.attempts.some((one) => one.ref === ref && one.owns && isSending(one));
  return !leased || nature === "ordered" || !isHeld();
}

/** A new attempt gets the record. The earlier ones may still call the provider, and may store nothing. */
export function lease(
  state: State,
  protocol: Protocol,
  record: RecordState,
  manual?: { resends: boolean },
): Partial<State> {
  const leased = { ...protocol.rules.lease(record), ...(manual && { step: "ask" as const }) };
  const step = protocol.rules.stepOf(leased);
  const attempt = { ...newAttempt, ...manual, ref: record.ref, step, notFound: leased.notFound };
  const attempts = [...supersede(state, protocol, record.ref), attempt];
  return { ...changeRecord(state, record, leased), attempts };
}

/** An attempt that may store nothing any more only sends what it is to send, and stores a request that it is told. */
export function supersede(state: State, { rules }: Protocol, ref: Ref): AttemptState[] {
  return state.attempts.flatMap<AttemptState>((attempt) => {
    if (attempt.ref !== ref || !attempt.owns) return [attempt];
    const late: AttemptState = { ...attempt, owns: false, notFound: 0, resends: false };
    return goesOnLate(state, late) || rules.mayStore(late) ? [late] : [];
  });
}

export function goesOnLate(
  { budget, executions }: State,
  { ref, step, reply, answer }: AttemptState,
): boolean {
  if (answer !== null || (reply && isVerdict(reply) && reply.asks)) return true;
  const mayBeAsked = budget.requests > 0 || Boolean(find(executions, ref)?.request);
  return reply === null && (step === "send" || mayBeAsked);
}
