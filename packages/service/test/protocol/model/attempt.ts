import { type Protocol, step, type Transitions } from "./model.ts";
import { arrivals, verdictOf } from "./provider.ts";
import { noteRequest, sendAnswer } from "./request.ts";
import { isFinal } from "./rules.ts";
import type { RecordState, Reply, State } from "./state.ts";
import { type AttemptState, change, type Execution, isVerdict } from "./state.ts";
import { write } from "./write.ts";

/** One attempt, with the record and the execution that it is about. */
export interface Attempt {
  state: State;
  protocol: Protocol;
  attempt: AttemptState;
  record: RecordState;
  execution: Execution;
}

/** An attempt calls the provider, then stores the reply. Its process may die before each. */
export function* attemptSteps(one: Attempt): Transitions {
  const { reply, answer, step: first } = one.attempt;
  const dies = reply ? "the process dies with the reply" : "the process dies before the call";
  yield step(dies, end(one), "crashes");
  if (answer !== null) yield* sendAnswer(one, answer);
  else if (reply) yield* store(one, reply);
  else yield* first === "send" ? send(one) : ask(one);
}

const end = ({ state, attempt }: Attempt) => ({ attempts: state.attempts.filter((one) => one !== attempt) });
const get = ({ state, attempt }: Attempt, reply: Reply) => change.attempt(state, attempt, { reply });

interface Call {
  /** What the provider can do with it, and what its reply changes. */
  arrivals: readonly { name: string; effect: Partial<State>; replied: Partial<State> }[];
  lost: Partial<State>;
  unsent: Partial<State>;
}

/** A call arrives and is answered, or its reply is lost, or the process dies meanwhile; or nothing arrives. */
export function* call(one: Attempt, { arrivals, lost, unsent }: Call): Transitions {
  for (const { name, effect, replied } of arrivals) {
    yield step(name, { ...effect, ...replied });
    yield step(`${name}, and its reply is lost`, { ...effect, ...lost }, "faults");
    yield step(`${name}, and the process dies`, { ...effect, ...end(one) }, "crashes");
  }
  yield step("the call does not arrive", lost, "faults");
  yield step("the provider cannot be reached", unsent, "faults");
}

function* send(one: Attempt): Transitions {
  const { state, protocol, execution } = one;
  const lost = get(one, { outcome: "unknown" });
  const outcomes = arrivals(protocol, execution).map(({ name, after, verdict }) => ({
    ...{ name, effect: change.execution(state, execution, after), replied: get(one, verdict) },
  }));
  yield* call(one, { arrivals: outcomes, lost, unsent: get(one, { outcome: "unsent" }) });
  const late = change.execution(state, execution, { late: execution.late + 1 });
  if (protocol.nature === "ordered") yield step("the submission is late", { ...late, ...lost }, "faults");
}

function* ask(one: Attempt): Transitions {
  const { state, protocol, execution } = one;
  const { effects, refused, isNew, request } = execution;
  const notFound = get(one, { outcome: "not-found" });
  yield step("the provider does not answer the query", get(one, { outcome: "unknown" }), "faults");
  if (effects === 0 && !refused) {
    yield step("the provider does not know it", notFound);
    return;
  }
  const old = change.execution(state, execution, { isNew: false });
  const verdict = verdictOf(protocol, execution);
  yield step("the provider answers the query", { ...old, ...get(one, verdict) });
  // One that executes a reference once may forget it at any time. The other one is late once.
  if (protocol.nature === "ordered" || isNew)
    yield step("the provider does not know it yet", { ...old, ...notFound }, "faults");
  const isHidden = isNew && request?.status === "answered";
  const hidden = { ...old, ...get(one, { ...verdict, asks: "open" }) };
  if (isHidden) yield step("the provider does not show the answer yet", hidden, "faults");
}

/** Stores the request that a reply reports, then the verdict, or when the next attempt is due. */
function* store(one: Attempt, reply: Reply): Transitions {
  const { state, protocol, attempt, record } = one;
  const noted = isVerdict(reply) && noteRequest(one, reply);
  if (noted) yield noted;
  else if (!protocol.rules.mayStore(attempt)) yield step("a later attempt has the record", end(one));
  else if (isVerdict(reply)) {
    const after = protocol.rules.apply(record, reply);
    const name = after === record ? "the verdict changes nothing" : "the verdict is stored";
    yield step(name, { ...end(one), ...write(state, protocol, record, after) });
  } else yield* plan(one, reply);
}

/** Plans the next attempt after a reply that is no verdict. A person's query may be followed by a send at once. */
function* plan(one: Attempt, reply: Reply): Transitions {
  const { state, protocol, attempt, record } = one;
  const { rules, overdue } = protocol;
  const { step: next, notFound } = rules.plan(attempt, reply);
  const isUnresolved = record.resolution === "unresolved";
  const due = record.due && !(isFinal(record) && next === "send");
  const planned: RecordState = { ...record, step: isUnresolved ? next : "ask", notFound, leased: false, due };
  if (attempt.resends && reply.outcome === "not-found" && rules.mayResend(planned)) {
    const sending = { step: "send", notFound, reply: null, resends: false } as const;
    const leased = change.record(state, record, { ...planned, step: "send", leased: true });
    yield step("a person sends it again", { ...leased, ...change.attempt(state, attempt, sending) });
    return;
  }
  const then = (after: RecordState) => ({ ...end(one), ...change.record(state, record, after) });
  yield step(`the next attempt is planned after "${reply.outcome}"`, then(planned));
  if (overdue && isUnresolved)
    yield step("it is left to a person", then({ ...planned, due: false, needsAttention: true }));
}
