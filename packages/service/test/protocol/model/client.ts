import type { Protocol, Transition } from "./model.ts";
import { isDeclined } from "./rules.ts";
import {
  type Body,
  changeRecord,
  type Execution,
  find,
  type Key,
  newAttempt,
  newExecution,
  newRecord,
  type RecordState,
  type Ref,
  type State,
} from "./state.ts";

/** A client submits a body, answers a request, or has a document that comes close to its expiry. */
export function* clientSteps(state: State, protocol: Protocol): Generator<Transition> {
  for (const [body, key] of protocol.calls)
    for (const one of submit(state, protocol, body, key))
      yield { ...one, how: key ? `${body} with the key ${key}` : body };
  for (const record of state.records) {
    const { ref, request, status, expires } = record;
    if (request?.status === "open" && request.answers < 2) {
      const answers = request.answers + 1;
      const answered = { ...request, status: "answered", answers, attempted: false, notFound: 0 } as const;
      const changes = changeRecord(state, record, { request: answered });
      yield { name: "the client answers the request", ref, changes };
    }
    if (status === "approved" && !expires) {
      const changes = changeRecord(state, record, { expires: true });
      yield { name: "the document expires soon", ref, costs: ["expiries"], changes };
    }
  }
}

/** The record and its key are committed before anything is sent, and the client gets its reference after that. */
function* submit(state: State, { rules }: Protocol, body: Body, key: Key | null): Generator<Transition> {
  const decision = rules.decide(state, body, key);
  if (typeof decision === "string") return;
  if ("replay" in decision) {
    const { replay: ref } = decision;
    yield {
      name: "a client gets the known record",
      ref,
      costs: ["calls"],
      changes: withKey(state, key, ref),
    };
    return;
  }
  const forgotten = rules.adopts(forgottenOf(state), body);
  const isNew = forgotten === undefined;
  const ref = forgotten ?? state.refs;
  const record: RecordState = { ...newRecord, ref, body, renews: decision.renews };
  const created: Partial<State> = {
    ...withKey(state, key, ref),
    ...withRecord(state, record),
    ...(isNew && { refs: ref + 1, executions: [...state.executions, { ...newExecution, ref, body }] }),
    ...(isDoubled(state, body, key, ref) && { broken: "a submission becomes one record" }),
  };
  const attempts = [...state.attempts, { ...newAttempt, ref, step: isNew ? "send" : "ask" } as const];
  const name = isNew ? "a client submits" : "a client submits what was forgotten";
  yield { name, ref, costs: ["calls", "attempts"], changes: { ...created, attempts } };
  const dies = `${name}, and the process dies after the commit`;
  yield { name: dies, ref, costs: ["calls", "crashes"], changes: created };
  if (!isNew) return;
  const waiting = { ...created, ...withRecord(state, { ...record, leased: false }) };
  yield { name: "a client submits, and no slot is free", ref, costs: ["calls"], changes: waiting };
}

const withRecord = ({ records }: State, record: RecordState) => ({
  records: [...records, record].sort((one, other) => one.ref - other.ref),
});

/** A key leads to one record for as long as the database knows it. */
function withKey({ keys }: State, key: Key | null, ref: Ref): Partial<State> {
  if (key === null) return {};
  const known = keys.find((one) => one.key === key);
  if (known) return known.ref === ref ? {} : { broken: "a key leads to one record" };
  return { keys: [...keys, { key, ref }] };
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
