import { isDeclined, isFinal, type Rules, rowOf, standingApproval } from "./rules.ts";
import type {
  AttemptState,
  Body,
  Budget,
  Execution,
  Key,
  RecordState,
  Ref,
  Reply,
  State,
  Verdict,
} from "./state.ts";

/**
 * How a provider treats our reference. `ordered` repeats its result for a reference that it has, for ever, and numbers
 * its decisions. `unordered` executes whatever arrives, within a time that every lease exceeds, and numbers nothing.
 */
export type Nature = "ordered" | "unordered";

export interface Protocol {
  nature: Nature;
  rules: Rules;
  /** The bodies and keys with which clients call. */
  calls: readonly (readonly [Body, Key | null])[];
  /** Attempts may end after the time in which a submission has to be resolved. */
  overdue: boolean;
}

/** One transition: what happens, to which record, what tells two of them apart, and the state after it. */
export interface Step {
  name: string;
  ref: Ref;
  how: string;
  /** The place of the attempt that does it; -1 for none. */
  attempt: number;
  state: State;
}

/** Every transition that is possible in a state. */
export function* stepsFrom(s: State, p: Protocol): Generator<Step> {
  yield* clientSteps(s, p);
  for (const [place, attempt] of s.attempts.entries())
    for (const one of attemptSteps(s, p, attempt)) yield { ...one, attempt: place };
  yield* workerSteps(s, p);
  yield* providerSteps(s, p);
  yield* personSteps(s, p);
  yield* restoreSteps(s, p);
}

/** A step that changes a part of the state; none if it costs what the budget no longer has. */
function step(s: State, name: string, ref: Ref, changes: Partial<State>, ...costs: (keyof Budget)[]): Step[] {
  const budget = { ...s.budget };
  for (const cost of costs) budget[cost] -= 1;
  const isAffordable = costs.every((cost) => budget[cost] >= 0);
  return isAffordable ? [{ name, ref, how: "", attempt: -1, state: { ...s, ...changes, budget } }] : [];
}

const named = (steps: Step[], how: string): Step[] => steps.map((one) => ({ ...one, how }));
const find = <T extends { ref: Ref }>(all: readonly T[], ref: Ref): T | undefined =>
  all.find((one) => one.ref === ref);
const put = <T extends { ref: Ref }>(all: readonly T[], changed: T): T[] =>
  all.map((one) => (one.ref === changed.ref ? changed : one));
const byRef = (one: { ref: Ref }, other: { ref: Ref }) => one.ref - other.ref;
const change = (s: State, attempt: AttemptState, changes: Partial<AttemptState>): AttemptState[] =>
  s.attempts.map((one) => (one === attempt ? { ...one, ...changes } : one));
const end = (s: State, attempt: AttemptState) => s.attempts.filter((one) => one !== attempt);
const isVerdict = (reply: Reply): reply is Verdict =>
  reply.outcome === "answered" || reply.outcome === "refused";

const newRecord = (ref: Ref, body: Body, renews: Ref | null): RecordState => ({
  ...{ ref, body, resolution: "unresolved", status: null, revision: null, row: "unresolved/null/null" },
  ...{ step: "send", notFound: 0, leased: true, due: true, needsAttention: false },
  ...{ renews, wasApproved: false, expires: false, request: null },
});

const newAttempt = (ref: Ref, by: AttemptState["by"], given: Partial<AttemptState>): AttemptState => ({
  ...{ ref, by, owns: true, step: "ask", notFound: 0, reply: null, key: null, answer: null, resends: false },
  ...given,
});

/** Writes a verdict or a decision, with its history row. The approval of a renewal replaces the earlier one. */
function write(s: State, p: Protocol, before: RecordState, after: RecordState): Partial<State> {
  const written = p.rules.write(after);
  const replaced = written.status === "approved" && before.status !== "approved" ? written.renews : null;
  const records = put(s.records, written).map((one) =>
    one.ref === replaced ? { ...one, expires: false } : one,
  );
  const standing = standingApproval(s.records);
  if (standing && standing.ref !== before.ref && !standingApproval(records))
    return { records, broken: "a renewal took the standing approval" };
  if (isFinal(before) && !isFinal(written))
    return { records, broken: "a pending status replaced a final one" };
  return { records };
}

/** Tells a client a reference. The same key always has the same one. */
function tell(s: State, ref: Ref, key: Key | null): Partial<State> {
  if (s.told.some((one) => one.ref === ref && one.key === key)) return {};
  const told = [...s.told, { ref, key }].sort(
    (a, b) => byRef(a, b) || (a.key ?? "").localeCompare(b.key ?? ""),
  );
  const isOther = key !== null && s.told.some((one) => one.key === key);
  return isOther ? { told, broken: "a key led to two records" } : { told };
}

// Clients

/** A client submits a body, answers a request, or has a document that comes close to its expiry. */
function* clientSteps(s: State, p: Protocol): Generator<Step> {
  if (s.restored) return;
  for (const [body, key] of p.calls)
    for (const one of submit(s, p, body, key))
      yield { ...one, how: key ? `${body} with the key ${key}` : body };
  for (const record of s.records) {
    const { ref, request } = record;
    if (request?.status === "open" && request.answers < 2) {
      const answer = {
        status: "answered",
        answers: request.answers + 1,
        attempted: false,
        notFound: 0,
      } as const;
      const records = put(s.records, { ...record, request: { ...request, ...answer } });
      yield* step(s, "the client answers the request", ref, { records });
    }
    const expiring = put(s.records, { ...record, expires: true });
    if (record.status === "approved" && !record.expires)
      yield* step(s, "the document expires soon", ref, { records: expiring }, "expiries");
  }
}

function* submit(s: State, p: Protocol, body: Body, key: Key | null): Generator<Step> {
  const decision = p.rules.decide(s, body, key);
  if (typeof decision === "string") return;
  const isNewKey = key !== null && !s.keys.some((one) => one.key === key);
  const keysFor = (ref: Ref) => (isNewKey ? [...s.keys, { key, body, ref }] : s.keys);
  if ("replay" in decision) {
    const { replay: ref } = decision;
    yield* step(
      s,
      "a client gets the known record",
      ref,
      { keys: keysFor(ref), ...tell(s, ref, key) },
      "calls",
    );
    return;
  }
  const adopted = p.rules.adopts(forgottenOf(s), body);
  const ref = adopted ?? s.refs;
  const record = newRecord(ref, body, decision.renews);
  const nothing = {
    effects: 0,
    refused: false,
    decisions: [],
    isNew: false,
    late: 0,
    hasNews: false,
    request: null,
  };
  const created: Partial<State> = {
    records: [...s.records, record].sort(byRef),
    keys: keysFor(ref),
    ...(adopted === undefined && {
      refs: s.refs + 1,
      executions: [...s.executions, { ref, body, ...nothing }],
    }),
    ...(isDoubled(s, body, key, ref) && { broken: "one submission became two records" }),
  };
  const attempts = [
    ...s.attempts,
    newAttempt(ref, "client", { step: adopted === undefined ? "send" : "ask", key }),
  ];
  const submits = adopted === undefined ? "a client submits" : "a client submits what was forgotten";
  yield* step(s, submits, ref, { ...created, attempts }, "calls", "attempts");
  yield* step(s, `${submits}, and the process dies after the commit`, ref, created, "calls", "crashes");
  if (adopted !== undefined) return;
  const records = put(created.records ?? [], { ...record, leased: false });
  yield* step(
    s,
    "a client submits, and no slot is free",
    ref,
    { ...created, records, ...tell(s, ref, key) },
    "calls",
  );
}

/** Whether a new record repeats a submission: only a new key repeats one, if it was declined. */
function isDoubled(s: State, body: Body, key: Key | null, ref: Ref): boolean {
  const equal = s.records.findLast((one) => one.body === body);
  const isForgotten = forgottenOf(s).some((one) => one.body === body && one.ref !== ref);
  return isForgotten || (equal !== undefined && (key === null || !isDeclined(equal)));
}

/** The executions of a user whom a restored database forgot, unless the user's first submission was another one. */
function forgottenOf({ records, remembered, executions }: State): Execution[] {
  const isTheirs = records.length === 0 || records.some(({ ref }) => remembered.includes(ref));
  return executions.filter(({ ref }) => isTheirs && remembered.includes(ref) && !find(records, ref));
}

// Attempts

function* attemptSteps(s: State, p: Protocol, attempt: AttemptState): Generator<Step> {
  const { ref, by, reply, answer } = attempt;
  const name = reply ? "the process dies with the reply" : "the process dies before the call";
  yield* named(step(s, name, ref, { attempts: end(s, attempt) }, "crashes"), by);
  const execution = find(s.executions, ref);
  if (!execution) return;
  if (answer !== null) yield* sendAnswer(s, p, attempt, answer);
  else if (reply) yield* store(s, p, attempt, reply);
  else if (attempt.step === "send") yield* send(s, p, attempt, execution);
  else yield* ask(s, p, attempt, execution);
}

/** What the provider does with a submission that arrives, and what it replies. */
function* arrivals(p: Protocol, execution: Execution): Generator<{ execution: Execution; verdict: Verdict }> {
  const { effects, refused } = execution;
  if (p.nature === "ordered" && (effects > 0 || refused)) {
    yield { execution, verdict: verdictOf(p, execution) };
    return;
  }
  const decisions = effects > 0 ? execution.decisions : (["review"] as const);
  const executed = { ...execution, effects: effects + 1, decisions, isNew: true };
  yield { execution: executed, verdict: verdictOf(p, executed) };
  if (effects === 0) yield { execution: { ...execution, refused: p.nature === "ordered" }, verdict: refusal };
}

const refusal: Verdict = { outcome: "refused", status: null, revision: null, asks: null };

function verdictOf(p: Protocol, { decisions, refused, request }: Execution): Verdict {
  if (refused) return refusal;
  const status = decisions.at(-1) ?? null;
  const asks = status === "review" ? (request?.status ?? null) : null;
  return { outcome: "answered", status, revision: p.nature === "ordered" ? decisions.length : null, asks };
}

function* send(s: State, p: Protocol, attempt: AttemptState, execution: Execution): Generator<Step> {
  const { ref } = attempt;
  const gets = (outcome: "unsent" | "unknown") => change(s, attempt, { reply: { outcome } });
  for (const { execution: after, verdict } of arrivals(p, execution)) {
    const executions = put(s.executions, after);
    const replied = change(s, attempt, { reply: verdict });
    const how = verdict.outcome;
    yield* named(step(s, "the provider gets it", ref, { executions, attempts: replied }), how);
    yield* named(
      step(
        s,
        "the provider gets it, and its reply is lost",
        ref,
        { executions, attempts: gets("unknown") },
        "faults",
      ),
      how,
    );
    yield* named(
      step(
        s,
        "the process dies while the provider acts",
        ref,
        { executions, attempts: end(s, attempt) },
        "crashes",
      ),
      how,
    );
  }
  yield* step(s, "the provider cannot be reached", ref, { attempts: gets("unsent") }, "faults");
  yield* step(s, "nothing arrives at the provider", ref, { attempts: gets("unknown") }, "faults");
  if (p.nature === "unordered") return;
  const executions = put(s.executions, { ...execution, late: execution.late + 1 });
  yield* step(s, "the provider is late", ref, { executions, attempts: gets("unknown") }, "faults");
}

function* ask(s: State, p: Protocol, attempt: AttemptState, execution: Execution): Generator<Step> {
  const { ref } = attempt;
  const gets = (reply: Reply) => ({ attempts: change(s, attempt, { reply }) });
  yield* step(s, "the provider does not answer the query", ref, gets({ outcome: "unknown" }), "faults");
  if (execution.effects === 0 && !execution.refused) {
    yield* step(s, "the provider does not know it", ref, gets({ outcome: "not-found" }));
    return;
  }
  const old = { executions: put(s.executions, { ...execution, isNew: false }) };
  const verdict = verdictOf(p, execution);
  yield* step(s, "the provider answers the query", ref, { ...old, ...gets(verdict) });
  // One that executes a reference once may forget it at any time. The other one is late once.
  if (p.nature === "ordered" || execution.isNew)
    yield* step(
      s,
      "the provider does not know it yet",
      ref,
      { ...old, ...gets({ outcome: "not-found" }) },
      "faults",
    );
  if (execution.isNew && execution.request?.status === "answered")
    yield* step(
      s,
      "the provider does not show the answer yet",
      ref,
      { ...old, ...gets({ ...verdict, asks: "open" }) },
      "faults",
    );
}

/** Stores a verdict, or when the next attempt is due; then the client gets its response. */
function* store(s: State, p: Protocol, attempt: AttemptState, reply: Reply): Generator<Step> {
  const { ref, by, key } = attempt;
  const record = find(s.records, ref);
  if (!record) return;
  const noted = isVerdict(reply) ? noteRequest(s, p, attempt, record, reply) : [];
  if (noted.length > 0) {
    yield* named(noted, by);
    return;
  }
  const ended = { attempts: end(s, attempt), ...(by === "client" && tell(s, ref, key)) };
  if (!p.rules.mayStore(attempt)) {
    yield* named(step(s, "a later attempt has the record", ref, ended), by);
    return;
  }
  if (isVerdict(reply)) {
    const after = p.rules.apply(record, reply);
    // A verdict that changes nothing ends the lease all the same.
    const same = { records: put(s.records, { ...p.rules.write(record), row: record.row }) };
    yield* named(
      step(s, "the verdict is stored", ref, {
        ...ended,
        ...(after === record ? same : write(s, p, record, after)),
      }),
      by,
    );
    return;
  }
  const { step: next, notFound } = p.rules.plan(attempt, reply);
  const isUnresolved = record.resolution === "unresolved";
  const due = record.due && !(isFinal(record) && next === "send");
  const planned: RecordState = { ...record, step: isUnresolved ? next : "ask", notFound, leased: false, due };
  if (attempt.resends && reply.outcome === "not-found" && p.rules.mayResend(planned)) {
    const attempts = change(s, attempt, { step: "send", notFound, reply: null, resends: false });
    const records = put(s.records, { ...planned, step: "send" as const, leased: true });
    yield* step(s, "a person sends it again", ref, { records, attempts });
    return;
  }
  yield* named(
    step(s, "the next attempt is planned", ref, { ...ended, records: put(s.records, planned) }),
    by,
  );
  const held = put(s.records, { ...planned, due: false, needsAttention: true });
  if (p.overdue && isUnresolved)
    yield* named(step(s, "it is left to a person", ref, { ...ended, records: held }), by);
}

// Requests for documents

/** A record's request after a report of the provider: its status never goes back, and a decision closes it. */
function withReport(record: RecordState, reported: "open" | "answered"): RecordState {
  const { request } = record;
  const isAnswered = reported === "answered" || request?.status === "answered";
  const sent = reported === "answered" || (request?.sent ?? false);
  const status =
    isFinal(record) || request?.status === "closed" ? "closed" : isAnswered ? "answered" : "open";
  if (request && request.status === status && request.sent === sent) return record;
  return { ...record, request: { answers: 0, attempted: false, notFound: 0, ...request, status, sent } };
}

/** Stores the request that a reply reports, and claims the platform's answer to it; no step if there is neither. */
function noteRequest(
  s: State,
  p: Protocol,
  attempt: AttemptState,
  record: RecordState,
  reply: Verdict,
): Step[] {
  const { ref, owns } = attempt;
  if (!reply.asks) return [];
  const known = withReport(record, reply.asks);
  const { request } = known;
  const noted = { ...reply, asks: null };
  const isWaiting = request?.status === "answered" && !request.sent && reply.asks === "open";
  if (!isWaiting || !owns || attempt.step === "send") {
    const records = put(s.records, known);
    return known === record
      ? []
      : step(s, "the request is stored", ref, { records, attempts: change(s, attempt, { reply: noted }) });
  }
  const notFound = request.attempted ? request.notFound + 1 : 0;
  if (!p.rules.claimsAnswer(request.attempted, notFound)) {
    const records = put(s.records, { ...known, request: { ...request, notFound } });
    return step(s, "the answer is not sent again yet", ref, {
      records,
      attempts: change(s, attempt, { reply: noted }),
    });
  }
  // The query used up the lease, and the answer is another call.
  const claimed = { ...known, leased: known.leased || known.due };
  const records = put(s.records, { ...claimed, request: { ...request, attempted: true, notFound: 0 } });
  const attempts = change(s, attempt, { reply: noted, answer: request.answers });
  return step(s, "the answer is claimed", ref, { records, attempts });
}

/** Sends an answer that the attempt has claimed, and stores the provider's reply to it. */
function* sendAnswer(s: State, p: Protocol, attempt: AttemptState, answer: number): Generator<Step> {
  const { ref } = attempt;
  const [record, execution] = [find(s.records, ref), find(s.executions, ref)];
  const asked = execution?.request;
  if (!record || !execution || !asked) return;
  const isRefused = asked.refuses && answer === 1;
  const isKnown = p.nature === "ordered" && asked.answered.includes(answer);
  const taken = {
    ...asked,
    status: "answered" as const,
    answered: isKnown ? asked.answered : [...asked.answered, answer],
  };
  const executions = isRefused
    ? s.executions
    : put(s.executions, { ...execution, isNew: true, request: taken });
  const { request } = record;
  const isWaiting = request?.status === "answered" && !request.sent && request.answers === answer;
  const reopened = { status: "open", attempted: false, notFound: 0 } as const;
  const after = isWaiting ? { ...request, ...(isRefused ? reopened : { sent: true }) } : request;
  const records = put(s.records, { ...record, request: after });
  const attempts = change(s, attempt, { answer: null });
  const how = isRefused ? "and refuses the files" : "";
  yield* named(step(s, "the provider gets the answer", ref, { executions, records, attempts }), how);
  yield* named(
    step(s, "the provider gets the answer, and its reply is lost", ref, { executions, attempts }, "faults"),
    how,
  );
  yield* named(
    step(
      s,
      "the process dies while the provider takes the answer",
      ref,
      { executions, attempts: end(s, attempt) },
      "crashes",
    ),
    how,
  );
  yield* step(s, "the answer does not arrive", ref, { attempts }, "faults");
}

// Workers

/** A lease ends by time. An unordered provider has acted by then on all that its owner sent. */
function mayLease(s: State, p: Protocol, { ref, leased }: RecordState): boolean {
  const isSending = (one: AttemptState) => (one.reply === null ? one.step === "send" : one.answer !== null);
  const isHeld =
    p.nature === "unordered" && s.attempts.some((one) => one.ref === ref && one.owns && isSending(one));
  return !leased || !isHeld;
}

/** A new attempt gets the record. The earlier ones may still call the provider, and may store nothing. */
function lease(s: State, p: Protocol, record: RecordState, by: "worker" | "person", resends = false) {
  const { ref } = record;
  const leased = { ...p.rules.lease(record), ...(by === "person" && { step: "ask" as const }) };
  const attempt = newAttempt(ref, by, { step: p.rules.stepOf(leased), notFound: leased.notFound, resends });
  return { records: put(s.records, leased), attempts: [...supersede(s, p, ref), attempt] };
}

/** Whether an attempt has made all its calls to the provider, and has no request to store. */
export const isDone = ({ reply, answer }: AttemptState): boolean =>
  reply !== null && answer === null && !(isVerdict(reply) && reply.asks);

/** An attempt that may store nothing any more only responds to its client. */
function supersede(s: State, p: Protocol, ref: Ref): AttemptState[] {
  return s.attempts.flatMap<AttemptState>((attempt) => {
    if (attempt.ref !== ref || !attempt.owns) return [attempt];
    const late: AttemptState = { ...attempt, owns: false };
    if (!isDone(late) || p.rules.mayStore(late)) return [late];
    return attempt.by === "client" ? [{ ...late, reply: { outcome: "unknown" } }] : [];
  });
}

function* workerSteps(s: State, p: Protocol): Generator<Step> {
  if (s.restored || s.attempts.filter(({ by }) => by === "worker").length >= 2) return;
  for (const record of s.records) {
    if (!record.due || !mayLease(s, p, record)) continue;
    const name = record.leased ? "a worker leases it after the lease of another" : "a worker leases it";
    yield* step(s, name, record.ref, lease(s, p, record, "worker"), "attempts");
  }
}

// The provider and its events

function* providerSteps(s: State, p: Protocol): Generator<Step> {
  for (const execution of s.executions) {
    const { ref, decisions, request, late, effects } = execution;
    const last = decisions.at(-1);
    if (late > 0)
      for (const { execution: after, verdict } of arrivals(p, execution)) {
        const executions = put(s.executions, { ...after, late: late - 1 });
        yield* named(step(s, "the provider acts late", ref, { executions }), verdict.outcome);
      }
    if (effects === 0) continue;
    for (const status of ["approved", "rejected"] as const) {
      if (status === last) continue;
      const decided = { ...execution, decisions: [...decisions, status], hasNews: true, isNew: false };
      yield* named(
        step(s, "the provider decides", ref, { executions: put(s.executions, decided) }, "decisions"),
        status,
      );
    }
    for (const refuses of last === "review" && !request ? [false, true] : []) {
      const executions = put(s.executions, {
        ...execution,
        request: { status: "open", answered: [], refuses },
      });
      const how = refuses ? "and will refuse the first files" : "";
      yield* named(step(s, "the provider asks for a document", ref, { executions }, "requests"), how);
    }
    if (!s.restored) yield* eventSteps(s, p, execution);
  }
}

/** An event arrives at any time, in any order, and any number of times. */
function* eventSteps(s: State, p: Protocol, execution: Execution): Generator<Step> {
  const { ref, decisions, request, hasNews } = execution;
  const heard = { executions: put(s.executions, { ...execution, hasNews: false }) };
  const record = find(s.records, ref);
  if (!record) return;
  if (p.nature === "unordered") {
    // Without an order an event only says that there is something to ask for.
    if (!hasNews || !mayLease(s, p, record)) return;
    const records = put(s.records, { ...record, step: "ask" as const, notFound: 0, due: true });
    const attempts = p.rules.fencesAtEvents() ? supersede(s, p, ref) : s.attempts;
    yield* step(s, "an event makes it due", ref, { ...heard, records, attempts });
    return;
  }
  for (const [index, status] of decisions.entries()) {
    const after = p.rules.apply(record, { outcome: "answered", status, revision: index + 1, asks: null });
    const isLast = index === decisions.length - 1;
    if (after === record && !(isLast && hasNews)) continue;
    const changes = { ...(isLast && heard), ...(after !== record && write(s, p, record, after)) };
    const name = isLast ? "an event brings the decision" : "an event brings an earlier decision";
    yield* named(step(s, name, ref, changes), status);
  }
  if (!request || isFinal(record)) return;
  // It has the status of the review, of which the provider may have told nothing yet.
  const after = p.rules.apply(record, { outcome: "answered", status: "review", revision: 1, asks: null });
  const reported = withReport(after === record ? record : p.rules.write(after), "open");
  if (reported !== record)
    yield* step(s, "an event brings the request", ref, { records: put(s.records, reported) });
}

// Persons

function* personSteps(s: State, p: Protocol): Generator<Step> {
  if (s.restored) return;
  for (const record of s.records) {
    const { ref, resolution, needsAttention, row } = record;
    const isUnresolved = resolution === "unresolved";
    if (mayLease(s, p, record)) {
      yield* step(s, "a person asks", ref, lease(s, p, record, "person"), "acts", "attempts");
      if (isUnresolved)
        yield* step(
          s,
          "a person asks, to send it again",
          ref,
          lease(s, p, record, "person", true),
          "acts",
          "attempts",
        );
    }
    const due = { ...record, needsAttention: false, step: "ask" as const, notFound: 0, due: true };
    if (needsAttention) yield* step(s, "a person requeues it", ref, { records: put(s.records, due) }, "acts");
    if (!isUnresolved) continue;
    if (mayDecide(s, record, "rejected"))
      yield* step(s, "a person enters a rejection", ref, decide(s, p, record, "rejected"), "acts");
    if (!s.proposal)
      yield* step(s, "a person proposes an approval", ref, { proposal: { ref, saw: row } }, "acts");
  }
  const { proposal } = s;
  const proposed = proposal && find(s.records, proposal.ref);
  if (!proposed || !p.rules.mayConfirm(proposed, proposal.saw) || !mayDecide(s, proposed, "approved")) return;
  const unseen = proposed.row !== proposal.saw && { broken: "a confirmation of something that nobody saw" };
  const confirmed = { ...decide(s, p, proposed, "approved"), proposal: null, ...unseen };
  yield* step(s, "another person confirms", proposed.ref, confirmed, "acts");
}

/** A record that is left to a person gets the decision that the provider tells this person. */
function mayDecide(s: State, { ref, needsAttention }: RecordState, status: "approved" | "rejected"): boolean {
  const decision = find(s.executions, ref)?.decisions.at(-1) ?? "review";
  return !needsAttention || decision === "review" || decision === status;
}

/** A person's final decision leaves a due record due: a worker may have to ask for the provider's decision. */
function decide(s: State, p: Protocol, record: RecordState, status: "approved" | "rejected"): Partial<State> {
  const { records, ...rest } = write(s, p, record, p.rules.decideManually(record, status));
  const keepsDue = (one: RecordState) => one.ref === record.ref && p.rules.keepsDue();
  return {
    ...rest,
    records: (records ?? []).map((one) => (keepsDue(one) ? { ...one, due: record.due } : one)),
  };
}

// Restores

function* restoreSteps(s: State, p: Protocol): Generator<Step> {
  const { records, keys, proposal, remembered, backup } = s;
  if (s.restored) yield* step(s, "the check asks the provider for its executions", 0, checkRestored(s, p));
  else if (!backup) {
    if (s.budget.restores > 0)
      yield* step(s, "a backup is made", 0, { backup: { records, keys, proposal, remembered } });
  } else if (s.executions.every(({ late }) => late === 0)) {
    // The check runs when the provider has acted on all that was sent before the loss.
    const isKept = (ref: Ref) => find(backup.records, ref) || (find(s.executions, ref)?.effects ?? 0) > 0;
    const keyOf = (key: Key | null) => (backup.keys.some((one) => one.key === key) ? key : null);
    const told = s.told.filter(({ ref }) => isKept(ref)).map(({ ref, key }) => ({ ref, key: keyOf(key) }));
    const restored = { ...backup, told, attempts: [], backup: null, restored: true };
    yield* step(s, "the database is lost, and restored", 0, restored, "restores");
  }
}

/** Adds the executions that the database forgot to its user, or remembers them if it forgot the user too. */
function checkRestored(s: State, p: Protocol): Partial<State> {
  const forgotten = s.executions.filter(({ ref, effects }) => effects > 0 && !find(s.records, ref));
  if (s.records.length === 0) {
    const refs = forgotten.map(({ ref }) => ref).filter((ref) => !s.remembered.includes(ref));
    return { remembered: [...s.remembered, ...refs], restored: false };
  }
  const adopted = forgotten.map((execution) =>
    p.rules.write(p.rules.apply(newRecord(execution.ref, execution.body, null), verdictOf(p, execution))),
  );
  const waiting = s.records.map((record) => p.rules.afterRestore(record));
  return { records: [...waiting, ...adopted].sort(byRef), restored: false };
}

/** What the wrong variants break in every state. */
export const invariants: Record<string, (s: State) => boolean> = {
  "what a client was told exists": (s) =>
    s.restored || s.told.every(({ ref }) => find(s.records, ref) || s.remembered.includes(ref)),
  "what the provider executed is known": (s) =>
    s.restored ||
    s.executions.every(
      ({ ref, effects }) => effects === 0 || find(s.records, ref) || s.remembered.includes(ref),
    ),
  "a submission is executed once": ({ executions }) => executions.every(({ effects }) => effects <= 1),
  "an answer is taken once": ({ executions }) =>
    executions.every(({ request }) => !request || new Set(request.answered).size === request.answered.length),
  "each change has its history row": ({ records }) => records.every((record) => rowOf(record) === record.row),
  "a record that is not final is due, or waits for a person": ({ records }) =>
    records.every((record) => isFinal(record) || record.due || record.needsAttention),
};
