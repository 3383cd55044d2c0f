import { type Protocol, step, type Transitions } from "./model.ts";
import { type Decision, isDeclined } from "./rules.ts";
import type { Body, Execution, Key, RecordState, Ref, State } from "./state.ts";
import { change, find, newAttempt, newExecution, newRecord } from "./state.ts";

/** Each submission that a client can make, and the record that it leads to. */
export function* submissions(state: State, { calls, rules }: Protocol): Generator<[Ref, Transitions]> {
  for (const [body, key] of calls) {
    const decision = rules.decide(state, body, key);
    if (typeof decision === "string") continue;
    const forgotten = rules.adopts(forgottenOf(state), body);
    const ref = "replay" in decision ? decision.replay : (forgotten ?? state.refs);
    yield [ref, submit(state, decision, { body, key, ref })];
  }
}

interface Submission {
  body: Body;
  key: Key | null;
  ref: Ref;
}

/** The record and its key are committed before anything is sent, and the client gets its reference after that. */
function* submit(
  state: State,
  decision: Exclude<Decision, string>,
  { body, key, ref }: Submission,
): Transitions {
  const what = key ? `${body} with the key ${key}` : body;
  const keys = withKey(state, key, ref);
  if ("replay" in decision) {
    yield step(`a client gets the known record: ${what}`, keys, "calls");
    return;
  }
  const isNew = ref === state.refs;
  const record: RecordState = { ...newRecord, ref, body, renews: decision.renews };
  const executions = [...state.executions, { ...newExecution, ref, body }];
  const created = {
    ...keys,
    ...withRecord(state, record),
    ...(isNew && { refs: ref + 1, executions }),
    ...(isDoubled(state, body, key, ref) && { broken: "a submission becomes one record" }),
  };
  const attempts = [...state.attempts, { ...newAttempt, ref, step: isNew ? "send" : "ask" } as const];
  const name = isNew ? "a client submits" : "a client submits what was forgotten";
  yield step(`${name}: ${what}`, { ...created, attempts }, "calls", "attempts");
  yield step(`${name}, and the process dies after the commit: ${what}`, created, "calls", "crashes");
  const waiting = withRecord(state, { ...record, leased: false });
  if (isNew) yield step(`${name}, and no slot is free: ${what}`, { ...created, ...waiting }, "calls");
}

const withRecord = ({ records }: State, record: RecordState) => ({
  records: [...records, record].sort((one, other) => one.ref - other.ref),
});

/** A key leads to one record for as long as the database knows it. */
function withKey({ keys }: State, key: Key | null, ref: Ref): Partial<State> {
  const known = keys.find((one) => one.key === key);
  if (known && known.ref !== ref) return { broken: "a key leads to one record" };
  return known || key === null ? {} : { keys: [...keys, { key, ref }] };
}

/** Whether a new record repeats a submission: only a new key repeats one, if it was declined. */
function isDoubled(state: State, body: Body, key: Key | null, ref: Ref): boolean {
  const equal = state.records.findLast((one) => one.body === body);
  const isForgotten = forgottenOf(state).some((one) => one.body === body && one.ref !== ref);
  return isForgotten || (equal !== undefined && (key === null || !isDeclined(equal)));
}

/** The executions of a user whom a restored database forgot, unless the user's first submission was another one. */
function forgottenOf({ records, remembered, executions }: State): Execution[] {
  const isTheirs = records.length === 0 || records.some(({ ref }) => remembered.includes(ref));
  return executions.filter(({ ref }) => isTheirs && remembered.includes(ref) && !find(records, ref));
}

/** The user answers a request for a document, or has a document that comes close to its expiry. */
export function* userSteps(state: State, _protocol: Protocol, record: RecordState): Transitions {
  const { request, status, expires } = record;
  if (request?.status === "open" && request.answers < 2) {
    const answers = request.answers + 1;
    const answered = { ...request, status: "answered", answers, attempted: false, notFound: 0 } as const;
    yield step("the client answers the request", change.record(state, record, { request: answered }));
  }
  if (status === "approved" && !expires)
    yield step("the document expires soon", change.record(state, record, { expires: true }), "expiries");
}
