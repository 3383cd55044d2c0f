import { type Protocol, step, type Transitions } from "./model.ts";
import type { Rules } from "./rules.ts";
import type { AttemptState, RecordState, Ref, State } from "./state.ts";
import { change, find, isVerdict, newAttempt } from "./state.ts";

/** A worker leases a record that is due. */
export function* workerSteps(state: State, protocol: Protocol, record: RecordState): Transitions {
  if (!record.due || !mayLease(state, protocol, record)) return;
  const name = record.leased ? "a worker leases it after the lease of another" : "a worker leases it";
  yield step(name, lease(state, protocol, record), "attempts");
}

/** A lease ends by time. Its owner sends only while it covers the call, so that an unordered provider has acted by then. */
export function mayLease(state: State, { nature }: Protocol, { ref, leased }: RecordState): boolean {
  const isSending = (one: AttemptState) => (one.reply === null ? one.step === "send" : one.answer !== null);
  const isHeld = () => state.attempts.some((one) => one.ref === ref && one.owns && isSending(one));
  return !leased || nature === "ordered" || !isHeld();
}

/** A new attempt gets the record. A person's asks first, and may be followed by a send. */
export function lease(state: State, { rules }: Protocol, record: RecordState, manual?: { resends: boolean }) {
  const leased: RecordState = { ...rules.lease(record), ...(manual && { step: "ask" }) };
  const { ref, notFound } = leased;
  const attempt = { ...newAttempt, ...manual, ref, step: rules.stepOf(leased), notFound };
  const attempts = [...supersede(state, rules, ref), attempt];
  return { ...change.record(state, record, leased), attempts };
}

/** An attempt that may store nothing any more only sends what it is to send, and stores a request that it is told. */
export function supersede(state: State, { mayStore }: Rules, ref: Ref): AttemptState[] {
  return state.attempts.flatMap((attempt) => {
    if (attempt.ref !== ref || !attempt.owns) return [attempt];
    const late: AttemptState = { ...attempt, owns: false, notFound: 0, resends: false };
    return goesOnLate(state, late) || mayStore(late) ? [late] : [];
  });
}

export function goesOnLate(
  { budget, executions }: State,
  { ref, step, reply, answer }: AttemptState,
): boolean {
  const mayBeAsked = budget.requests > 0 || Boolean(find(executions, ref)?.request);
  if (reply === null) return step === "send" || mayBeAsked;
  return answer !== null || (isVerdict(reply) && reply.asks !== null);
}
