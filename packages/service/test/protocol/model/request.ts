import { call } from "./attempt.ts";
import type { Protocol, Transition } from "./model.ts";
import { isFinal } from "./rules.ts";
import {
  type AttemptState,
  changeAttempt,
  changeExecution,
  changeRecord,
  type Execution,
  type RecordState,
  type RequestState,
  type State,
  type Verdict,
} from "./state.ts";

const newRequest = { status: "open", answers: 0, attempted: false, sent: false, notFound: 0 } as const;

/** A record's request after a report of the provider: its status never goes back, and a decision closes it. */
export function withReport(record: RecordState, reported: "open" | "answered"): RecordState {
  const before: RequestState = record.request ?? newRequest;
  const isAnswered = reported === "answered";
  const sent = before.sent || isAnswered;
  const status = isFinal(record)
    ? "closed"
    : isAnswered && before.status === "open"
      ? "answered"
      : before.status;
  const isSame = record.request?.status === status && record.request.sent === sent;
  return isSame ? record : { ...record, request: { ...before, status, sent } };
}

interface Noted {
  attempt: AttemptState;
  record: RecordState;
  reply: Verdict;
}

/** Stores the request that a reply reports, and claims the platform's answer to it; null if there is neither. */
export function noteRequest(
  state: State,
  { rules }: Protocol,
  { attempt, record, reply }: Noted,
): Transition | null {
  const { ref, owns, step } = attempt;
  if (!reply.asks) return null;
  const known = withReport(record, reply.asks);
  const { request } = known;
  const noted = { reply: { ...reply, asks: null } };
  const note = (name: string, after: RecordState, answer: number | null = null): Transition => {
    const changes = {
      ...changeRecord(state, record, after),
      ...changeAttempt(state, attempt, { ...noted, answer }),
    };
    return { name, ref, changes };
  };
  const isWaiting = request?.status === "answered" && !request.sent && reply.asks === "open";
  if (!isWaiting || !owns || step === "send")
    return known === record ? null : note("the request is stored", known);
  const notFound = request.attempted ? request.notFound + 1 : 0;
  if (!rules.claimsAnswer(request.attempted, notFound))
    return note("the answer is not sent again yet", { ...known, request: { ...request, notFound } });
  // The query used up the lease, and the answer is another call.
  const leased = known.leased || known.due;
  const claimed = { ...known, leased, request: { ...request, attempted: true, notFound: 0 } };
  return note("the answer is claimed", claimed, request.answers);
}

interface Sending {
  attempt: AttemptState;
  record: RecordState;
  execution: Execution;
  answer: number;
}

/** Sends an answer that the attempt has claimed, and stores the provider's reply to it. */
export function* sendAnswer(
  state: State,
  { nature }: Protocol,
  { attempt, record, execution, answer }: Sending,
): Generator<Transition> {
  const asked = execution.request;
  if (!asked) return;
  const isRefused = asked.refuses && answer === 1;
  const isKnown = nature === "ordered" && asked.answered.includes(answer);
  const answered = isKnown ? asked.answered : [...asked.answered, answer];
  const executed = { isNew: true, request: { ...asked, status: "answered", answered } } as const;
  const { request } = record;
  const isWaiting = request?.status === "answered" && !request.sent && request.answers === answer;
  const reopened = { ...newRequest, answers: answer };
  const after = isWaiting ? (isRefused ? reopened : { ...request, sent: true }) : request;
  const lost = changeAttempt(state, attempt, { answer: null });
  const arrival = {
    ...(isRefused && { how: "and refuses the files" }),
    effect: isRefused ? {} : changeExecution(state, execution, executed),
    replied: { ...lost, ...changeRecord(state, record, { request: after }) },
  };
  yield* call(state, { attempt, what: "answer", arrivals: [arrival], lost });
}
