import type { Protocol, Transition } from "./model.ts";
import { arrivals, verdictOf } from "./provider.ts";
import { noteRequest, sendAnswer } from "./request.ts";
import { isFinal } from "./rules.ts";
import {
  type AttemptState,
  changeAttempt,
  changeExecution,
  changeRecord,
  type Execution,
  endAttempt,
  find,
  type RecordState,
  type Reply,
  type State,
  type Verdict,
} from "./state.ts";
import { write } from "./write.ts";

/** An attempt calls the provider, then stores the reply. Its process may die before each. */
export function* attemptSteps(
  state: State,
  protocol: Protocol,
  attempt: AttemptState,
): Generator<Transition> {
  const { ref, reply, answer } = attempt;
  const record = find(state.records, ref);
  const execution = find(state.executions, ref);
  if (!record || !execution) return;
  const dies = reply ? "the process dies with the reply" : "the process dies before the call";
  yield { name: dies, ref, costs: ["crashes"], changes: endAttempt(state, attempt) };
  if (answer !== null) yield* sendAnswer(state, protocol, { attempt, record, execution, answer });
  else if (reply) yield* store(state, protocol, attempt, record, reply);
  else if (attempt.step === "send") yield* send(state, protocol, attempt, execution);
  else yield* ask(state, protocol, attempt, execution);
}

interface Call {
  attempt: AttemptState;
  what: "submission" | "query" | "answer";
  /** What the provider does, and what its reply changes. */
  arrivals: readonly { how?: string; effect: Partial<State>; replied: Partial<State> }[];
  /** The reply is lost, or the call does not arrive. */
  lost: Partial<State>;
}

/** A call arrives and is answered, or its reply is lost, or the process dies meanwhile; or nothing arrives. */
export function* call(state: State, { attempt, what, arrivals, lost }: Call): Generator<Transition> {
  const { ref } = attempt;
  for (const { effect, replied, ...how } of arrivals) {
    const name = `the provider gets the ${what}`;
    yield { name, ref, ...how, changes: { ...effect, ...replied } };
    const isLost = `${name}, and its reply is lost`;
    yield { name: isLost, ref, ...how, costs: ["faults"], changes: { ...effect, ...lost } };
    const dies = { ...effect, ...endAttempt(state, attempt) };
    yield { name: `${name}, and the process dies`, ref, ...how, costs: ["crashes"], changes: dies };
  }
  yield { name: `the ${what} does not arrive`, ref, costs: ["faults"], changes: lost };
}

function* send(
  state: State,
  protocol: Protocol,
  attempt: AttemptState,
  execution: Execution,
): Generator<Transition> {
  const { ref } = attempt;
  const gets = (reply: Reply) => changeAttempt(state, attempt, { reply });
  const lost = gets({ outcome: "unknown" });
  const arriving = arrivals(protocol, execution).map(({ execution: after, verdict }) => ({
    how: verdict.outcome,
    effect: changeExecution(state, execution, after),
    replied: gets(verdict),
  }));
  yield* call(state, { attempt, what: "submission", arrivals: arriving, lost });
  const unsent = gets({ outcome: "unsent" });
  yield { name: "the provider cannot be reached", ref, costs: ["faults"], changes: unsent };
  if (protocol.nature === "unordered") return;
  const late = { ...changeExecution(state, execution, { late: execution.late + 1 }), ...lost };
  yield { name: "the submission is late", ref, costs: ["faults"], changes: late };
}

function* ask(
  state: State,
  protocol: Protocol,
  attempt: AttemptState,
  execution: Execution,
): Generator<Transition> {
  const { ref } = attempt;
  const { effects, refused, isNew, request } = execution;
  const gets = (reply: Reply) => changeAttempt(state, attempt, { reply });
  const [lost, notFound] = [gets({ outcome: "unknown" }), gets({ outcome: "not-found" })];
  yield { name: "the provider does not answer the query", ref, costs: ["faults"], changes: lost };
  if (effects === 0 && !refused) {
    yield { name: "the provider does not know it", ref, changes: notFound };
    return;
  }
  const old = changeExecution(state, execution, { isNew: false });
  const verdict = verdictOf(protocol, execution);
  yield { name: "the provider answers the query", ref, changes: { ...old, ...gets(verdict) } };
  // One that executes a reference once may forget it at any time. The other one is late once.
  if (protocol.nature === "ordered" || isNew) {
    const changes = { ...old, ...notFound };
    yield { name: "the provider does not know it yet", ref, costs: ["faults"], changes };
  }
  if (isNew && request?.status === "answered") {
    const changes = { ...old, ...gets({ ...verdict, asks: "open" }) };
    yield { name: "the provider does not show the answer yet", ref, costs: ["faults"], changes };
  }
}

/** Stores the request that a reply reports, then the verdict, or when the next attempt is due. */
function* store(
  state: State,
  protocol: Protocol,
  attempt: AttemptState,
  record: RecordState,
  reply: Reply,
): Generator<Transition> {
  const { ref } = attempt;
  const noted = isVerdict(reply) && noteRequest(state, protocol, { attempt, record, reply });
  const ended = endAttempt(state, attempt);
  if (noted) yield noted;
  else if (!protocol.rules.mayStore(attempt))
    yield { name: "a later attempt has the record", ref, changes: ended };
  else if (isVerdict(reply)) {
    const after = protocol.rules.apply(record, reply);
    const name = after === record ? "the verdict changes nothing" : "the verdict is stored";
    yield { name, ref, changes: { ...ended, ...write(state, protocol, record, after) } };
  } else yield* plan(state, protocol, attempt, record, reply);
}

/** Plans the next attempt after a reply that is no verdict. A person's query may be followed by a send at once. */
function* plan(
  state: State,
  { rules, overdue }: Protocol,
  attempt: AttemptState,
  record: RecordState,
  reply: Reply,
): Generator<Transition> {
  const { ref, resends } = attempt;
  const { step, notFound } = rules.plan(attempt, reply);
  const isUnresolved = record.resolution === "unresolved";
  const due = record.due && !(isFinal(record) && step === "send");
  const planned: RecordState = { ...record, step: isUnresolved ? step : "ask", notFound, leased: false, due };
  if (resends && reply.outcome === "not-found" && rules.mayResend(planned)) {
    const sends = { step: "send", notFound, reply: null, resends: false } as const;
    const leased = changeRecord(state, record, { ...planned, step: "send", leased: true });
    const changes = { ...leased, ...changeAttempt(state, attempt, sends) };
    yield { name: "a person sends it again", ref, changes };
    return;
  }
  const ended = endAttempt(state, attempt);
  const name = `the next attempt is planned after "${reply.outcome}"`;
  yield { name, ref, changes: { ...ended, ...changeRecord(state, record, planned) } };
  if (!overdue || !isUnresolved) return;
  const held = changeRecord(state, record, { ...planned, due: false, needsAttention: true });
  yield { name: "it is left to a person", ref, changes: { ...ended, ...held } };
}

export const isVerdict = (reply: Reply): reply is Verdict => "asks" in reply;
