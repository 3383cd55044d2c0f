import { type Protocol, type Step, stepsFrom } from "./model/model.ts";
import { isFinal, rowOf } from "./model/rules.ts";
import { find, noBudget, type RecordState, type State } from "./model/state.ts";

/* What is promised. A step can also break a promise by itself, which it notes in the state. */

/** What holds in every state. Between a restore and its check, the database may lack what the provider executed. */
const invariants: Record<string, (state: State) => boolean> = {
  "what a client was told, or the provider executed, is known": ({ restored, executions, ...database }) =>
    restored ||
    executions.every(({ ref }) => find(database.records, ref) || database.remembered.includes(ref)),
  "a submission is executed once": ({ executions }) => executions.every(({ effects }) => effects <= 1),
  "an answer is taken once": ({ executions }) =>
    executions.every(({ request }) => !request || new Set(request.answered).size === request.answered.length),
  "each change has its history row": ({ records }) => records.every((record) => rowOf(record) === record.row),
  "a record that is not final is due, or waits for a person": ({ records }) =>
    records.every((record) => isFinal(record) || record.due || record.needsAttention),
};

/** The promise that is broken in a state, or after the last step to it. */
export const brokenIn = (state: State): string | null =>
  state.broken ?? Object.entries(invariants).find(([, holds]) => !holds(state))?.[0] ?? null;

const ended = { ...noBudget, attempts: 1_000 };

const isAnswerUnsent = ({ request }: RecordState) => request?.status === "answered" && !request.sent;

/** The promise that is broken if the steps after the faults never end. */
export const brokenWithoutEnd = ({ records }: State): string =>
  records.some(isAnswerUnsent)
    ? "the provider gets every answer"
    : "each record is resolved when the faults end";

/** What may happen after the faults end: nobody calls, nothing fails, and what was sent arrives. */
export const afterFaults = (state: State): State => ({ ...state, budget: ended, backup: null });

/**
 * The next state after the faults ended; a promise if the state keeps it broken; null at a good end, where every record
 * has the provider's decision, or waits for a person.
 */
export function settle(state: State, protocol: Protocol): State | string | null {
  for (const step of stepsFrom(state, { ...protocol, calls: [], overdue: false }))
    if (isCalm(step, state)) return { ...step.state, budget: ended };
  const undecided = state.executions.find(({ decisions }) => decisions.at(-1) === "review");
  if (undecided) {
    if (state.records.some(isAnswerUnsent)) return brokenWithoutEnd(state);
    const decided = { ...undecided, decisions: [...undecided.decisions, "approved" as const], hasNews: true };
    return { ...state, executions: state.executions.map((one) => (one === undecided ? decided : one)) };
  }
  if (state.records.some((record) => !isFinal(record) && !record.needsAttention))
    return "each record is resolved when the faults end";
  const isWrong = state.records.some(({ ref, status, needsAttention, resolution }) => {
    const decision = find(state.executions, ref)?.decisions.at(-1);
    const isLeft = needsAttention && resolution === "unresolved";
    return decision !== undefined && decision !== status && !isLeft;
  });
  return isWrong ? "each record gets the provider's last decision" : null;
}

/** Nothing waits for a client's answer or an earlier event. */
const unexpected = [
  "the client answers the request",
  "an event brings an earlier decision",
  "an event brings the request",
];

/** A lease is taken over only after its attempt has ended, and a record that waits for its decision is left alone. */
function isCalm({ name, ref }: Step, { attempts, executions, records }: State): boolean {
  if (unexpected.some((one) => name.startsWith(one))) return false;
  const isOwned = attempts.some((one) => one.ref === ref && one.owns);
  const execution = find(executions, ref);
  if (name.startsWith("an event")) return !isOwned && execution?.hasNews === true;
  if (!name.startsWith("a worker")) return true;
  const record = find(records, ref);
  const isDecided = record?.resolution !== "unresolved" && record?.status === execution?.decisions.at(-1);
  return !isOwned && (!isDecided || (record !== undefined && isAnswerUnsent(record)));
}
