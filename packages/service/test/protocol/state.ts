/* What the model remembers: the database, the attempts under way, the provider, and what the client was told. */

/** The number of a record in the order of creation; it is also the reference at the provider. */
export type Ref = number;
export type Body = "A" | "B";
export type Key = "x" | "y";
type Resolution = "unresolved" | "answered" | "refused";
export type Status = "review" | "approved" | "rejected";

/** What the provider says about a submission. Only the ordered nature has revisions. */
export interface Verdict {
  outcome: "answered" | "refused";
  status: Status | null;
  revision: number | null;
  /** The state of its request for a document; null without one. */
  asks: "open" | "answered" | null;
}
export type Reply = Verdict | { outcome: "unsent" | "unknown" | "not-found" };

/** A row of `kyc_records`, with the state of its last history row. */
export interface RecordState {
  ref: Ref;
  body: Body;
  resolution: Resolution;
  status: Status | null;
  revision: number | null;
  /** The state that the last history row has. */
  row: string;
  step: "send" | "ask";
  notFound: number;
  leased: boolean;
  due: boolean;
  needsAttention: boolean;
  /** The approval that it renews. */
  renews: Ref | null;
  wasApproved: boolean;
  /** The document of the approved user expires. */
  expires: boolean;
  request: RequestState | null;
}

/** The provider's request for a document, as the database has it. */
export interface RequestState {
  status: "open" | "answered" | "closed";
  /** How many answers the platform gave: the provider refuses the files of the first one, at most. */
  answers: number;
  attempted: boolean;
  sent: boolean;
  notFound: number;
}

interface Proposal {
  ref: Ref;
  /** The history row that the proposer saw. */
  saw: string;
}

/** What a restore replaces. */
export interface Stored {
  records: readonly RecordState[];
  keys: readonly { key: Key; body: Body; ref: Ref }[];
  proposal: Proposal | null;
  /** Executions that a restored database knows only from the provider's list. */
  remembered: readonly Ref[];
}

/** An attempt in a process that lives. One that a crash ended is gone. */
export interface AttemptState {
  ref: Ref;
  by: "client" | "worker" | "person";
  /** No later attempt has leased the record. */
  owns: boolean;
  step: "send" | "ask";
  notFound: number;
  /** Set while the attempt has a reply that is not stored. */
  reply: Reply | null;
  /** The client's key. */
  key: Key | null;
  /** The number of the answer to the request that it sends after its query. */
  answer: number | null;
  /** A person's query that is to be followed by a send. */
  resends: boolean;
}

/** What the provider has for a reference. */
export interface Execution {
  ref: Ref;
  body: Body;
  effects: number;
  refused: boolean;
  /** Each decision, in order. The last one stands. */
  decisions: readonly Status[];
  /** It is too new for the provider's queries. */
  isNew: boolean;
  /** Requests whose sender waits no longer, and which can still arrive. */
  late: number;
  /** No event has told its last decision yet. */
  hasNews: boolean;
  request: { status: "open" | "answered"; answered: readonly number[]; refuses: boolean } | null;
}

/** What may still happen, so that a configuration is finite. */
export interface Budget {
  calls: number;
  attempts: number;
  crashes: number;
  /** Replies that are lost, late, wrong or about something else. */
  faults: number;
  decisions: number;
  requests: number;
  acts: number;
  restores: number;
  expiries: number;
}

export const noBudget: Budget = {
  calls: 0,
  attempts: 0,
  crashes: 0,
  faults: 0,
  decisions: 0,
  requests: 0,
  acts: 0,
  restores: 0,
  expiries: 0,
};

export interface State extends Stored {
  attempts: readonly AttemptState[];
  executions: readonly Execution[];
  /** The references that clients were told, and by which key. */
  told: readonly { ref: Ref; key: Key | null }[];
  backup: Stored | null;
  /** The database is restored, and not checked yet. */
  restored: boolean;
  refs: number;
  budget: Budget;
  /** Which promise the last step broke. */
  broken: string | null;
}
