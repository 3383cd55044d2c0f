import { type Attempt, call } from "./attempt.ts";
import { step, type Transitions } from "./model.ts";
import { isFinal } from "./rules.ts";
import { change, type RecordState, type RequestState, type Verdict } from "./state.ts";

const newRequest = { status: "open", answers: 0, attempted: false, sent: false, notFound: 0 } as const;

/** A record's request after a report of the provider: its status never goes back, and a decision closes it. */
export function withReport(record: RecordState, reported: "open" | "answered"): RecordState {
  const before: RequestState = record.request ?? newRequest;
  const isAnswered = reported === "answered";
  const status = before.status === "open" ? reported : before.status;
  const after = { ...before, status: isFinal(record) ? "closed" : status, sent: before.sent || isAnswered };
  const isSame = record.request?.status === after.status && record.request.sent === after.sent;
  return isSame ? record : { ...record, request: after as RequestState };
}

/** Stores the request that a reply reports, and claims the platform's answer to it; null if there is neither. */
export function noteRequest({ state, protocol, attempt, record }: Attempt, reply: Verdict) {
  if (!reply.asks) return null;
  const known = withReport(record, reply.asks);
  const { request } = known;
  const note = (name: string, after: RecordState, answer: number | null = null) => {
    const noted = change.attempt(state, attempt, { reply: { ...reply, asks: null }, answer });
    return step(name, { ...change.record(state, record, after), ...noted });
  };
  const isWaiting = request?.status === "answered" && !request.sent && reply.asks === "open";
  if (!isWaiting || !attempt.owns || attempt.step === "send")
    return known === record ? null : note("the request is stored", known);
  const notFound = request.attempted ? request.notFound + 1 : 0;
  if (!protocol.rules.claimsAnswer(request.attempted, notFound))
    return note("the answer is not sent again yet", { ...known, request: { ...request, notFound } });
  // The query used up the lease, and the answer is another call.
  const leased = known.leased || known.due;
  const claimed = { ...known, leased, request: { ...request, attempted: true, notFound: 0 } };
  return note("the answer is claimed", claimed, request.answers);
}

/** Sends an answer that the attempt has claimed, and stores the provider's reply to it. */
export function* sendAnswer(one: Attempt, answer: number): Transitions {
  const { state, protocol, attempt, record, execution } = one;
  const { request: asked } = execution;
  const { request } = record;
  if (!asked || !request) return;
  const isRefused = asked.refuses && answer === 1;
  const isKnown = protocol.nature === "ordered" && asked.answered.includes(answer);
  const answered = isKnown ? asked.answered : [...asked.answered, answer];
  const taken = { isNew: true, request: { ...asked, status: "answered", answered } } as const;
  const isWaiting = request.status === "answered" && !request.sent && request.answers === answer;
  const lost = change.attempt(state, attempt, { answer: null });
  const store = (changes: Partial<RequestState>) => {
    const after = isWaiting ? { ...request, ...changes } : request;
    return { ...lost, ...change.record(state, record, { request: after }) };
  };
  const arrival = isRefused
    ? {
        name: "the provider refuses the answer",
        effect: {},
        replied: store({ ...newRequest, answers: answer }),
      }
    : {
        name: "the provider takes the answer",
        effect: change.execution(state, execution, taken),
        replied: store({ sent: true }),
      };
  // Another attempt may have sent the answer since.
  const unsent = attempt.owns ? store({ attempted: false }) : lost;
  yield* call(one, { arrivals: [arrival], lost, unsent });
}
