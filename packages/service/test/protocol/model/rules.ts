import type { AttemptState, Body, Key, RecordState, Ref, Reply, Stored, Verdict } from "./state.ts";
import { find } from "./state.ts";

/* The rules of the protocol: each decides on one transition, and a wrong variant replaces one of them. */

const requiredNotFound = 2;

export const isDeclined = ({ resolution, status }: Pick<RecordState, "resolution" | "status">) =>
  resolution === "refused" || status === "rejected";
export const isFinal = (record: Pick<RecordState, "resolution" | "status">) =>
  isDeclined(record) || record.status === "approved";

/** What the last history row of a record says. */
export const rowOf = ({ resolution, status, revision }: RecordState) => `${resolution}/${status}/${revision}`;

/** The last approval, until a later one is approved or the provider revokes it. */
export function standingApproval(records: readonly RecordState[]): RecordState | undefined {
  const last = records.findLast(({ status, wasApproved }) => status === "approved" || wasApproved);
  return last?.status === "approved" ? last : undefined;
}

export type Decision = { replay: Ref } | { create: true; renews: Ref | null } | "conflict" | "key-reused";

export const rules = {
  /** A used key replays, then an equal body, then the latest record and the standing approval decide. */
  decide({ records, keys }: Stored, body: Body, key: Key | null): Decision {
    const used = keys.find((one) => one.key === key);
    if (used) return find(records, used.ref)?.body === body ? { replay: used.ref } : "key-reused";
    const equal = records.findLast((record) => record.body === body);
    if (equal && !(key !== null && isDeclined(equal))) return { replay: equal.ref };
    const [latest, standing] = [records.at(-1), standingApproval(records)];
    if (!standing) return !latest || isDeclined(latest) ? { create: true, renews: null } : "conflict";
    const isUnderWay = latest !== standing && latest && !isDeclined(latest);
    return isUnderWay || !standing.expires ? "conflict" : { create: true, renews: standing.ref };
  },

  /** A new lease is a new attempt. One that follows an expired lease asks first. */
  lease: (record: RecordState): RecordState => ({
    ...record,
    leased: true,
    step: record.leased ? "ask" : record.step,
    notFound: record.leased && record.step === "send" ? 0 : record.notFound,
  }),

  /** An answered record is never sent again. */
  stepOf: ({ resolution, step }: RecordState): "send" | "ask" => (resolution === "unresolved" ? step : "ask"),

  /** Only the latest attempt of a record stores its reply. */
  mayStore: ({ owns }: AttemptState): boolean => owns,

  /** The state after a verdict; the same object if it changes nothing. */
  apply(record: RecordState, { outcome, status, revision: given }: Verdict): RecordState {
    if (outcome === "refused") {
      const isUndecided = record.resolution !== "refused" && record.revision === null;
      return isUndecided ? { ...record, resolution: "refused", status: null } : record;
    }
    const revision = given ?? (record.revision ?? 0) + 1;
    if (revision <= (record.revision ?? -1)) return record;
    const after: RecordState = { ...record, resolution: "answered", status, revision };
    if (isFinal(record) && !isFinal(after)) return record;
    const isSame = record.resolution === "answered" && record.status === status;
    return given === null && isSame ? record : after;
  },

  /** How the next attempt starts after a reply that is no verdict. */
  plan({ step, notFound }: AttemptState, { outcome }: Reply): Pick<AttemptState, "step" | "notFound"> {
    if (outcome === "unsent") return { step, notFound };
    if (outcome === "unknown") return { step: "ask", notFound: step === "send" ? 0 : notFound };
    const times = Math.min(notFound + 1, requiredNotFound);
    return { step: times >= requiredNotFound ? "send" : "ask", notFound: times };
  },

  /** Writes a state: the lease ends, and only a final record is not due. */
  write: (record: RecordState): RecordState => ({
    ...record,
    row: rowOf(record),
    step: "ask",
    leased: false,
    due: !isFinal(record),
    needsAttention: false,
    wasApproved: record.wasApproved || record.status === "approved",
    request: record.request && isFinal(record) ? { ...record.request, status: "closed" } : record.request,
  }),

  /** A person decides on an unresolved record only. Any decision of the provider replaces it. */
  decideManually: (record: RecordState, status: "approved" | "rejected"): RecordState =>
    record.resolution === "unresolved"
      ? { ...record, resolution: "answered", status, revision: null }
      : record,

  /** A confirmation is void after any change of what the proposer saw. */
  mayConfirm: (record: RecordState, saw: string): boolean => record.row === saw,

  /** A person sends a submission again as a worker does: after repeated queries that did not find it. */
  mayResend: ({ resolution, notFound }: RecordState): boolean =>
    resolution === "unresolved" && notFound >= requiredNotFound,

  /** What an attempt does with an answer that the provider shows as open: send it, or ask once more. */
  claimsAnswer: (attempted: boolean, notFound: number): boolean => !attempted || notFound >= requiredNotFound,

  /** After a restore, each record without a final status is asked about first. */
  afterRestore: (record: RecordState): RecordState =>
    record.due || record.needsAttention
      ? { ...record, step: "ask", notFound: 0, leased: false, due: true }
      : record,

  /** A submission that the provider executed and the database forgot gets the reference of that execution. */
  adopts: (forgotten: readonly { ref: Ref; body: Body }[], body: Body): Ref | undefined =>
    forgotten.findLast((one) => one.body === body)?.ref,

  /** An event without an order fences the attempts under way, whose replies are from before it. */
  fencesAtEvents: () => true,

  /** A person's decision does not cancel the query that is due. */
  keepsDue: () => true,
};

export type Rules = typeof rules;
