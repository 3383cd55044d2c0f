/* What the model remembers: the database, the attempts under way, and the provider. */

/** The number of a record in the order of creation; it is also the reference at the provider. */
export type Ref = number;
export type Body = "A" | "B";
export type Key = "x";
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
export const isVerdict = (reply: Reply): reply is Verdict => "asks" in reply;

/** A row of `kyc_records`, with the state of its last history row. */
export interface RecordState {
  ref: Ref;
  body: Body;
  resolution: "unresolved" | "answered" | "refused";
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

/** What a restore replaces. */
export interface Stored {
  records: readonly RecordState[];
  keys: readonly { key: Key; ref: Ref }[];
  /** An approval that a person proposes, and the history row that this person saw. */
  proposal: { ref: Ref; saw: string } | null;
  /** Executions that a restored database knows only from the provider's list. */
  remembered: readonly Ref[];
}

/** An attempt in a process that lives. One that a crash ended is gone. */
export interface AttemptState {
  ref: Ref;
  /** No later attempt has leased the record. */
  owns: boolean;
  step: "send" | "ask";
  notFound: number;
  /** Set while the attempt has a reply that is not stored. */
  reply: Reply | null;
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
  /** Submissions whose sender waits no longer, and which can still arrive. */
  late: number;
  /** No event has told its last decision yet. */
  hasNews: boolean;
  request: { status: "open" | "answered"; answered: readonly number[]; refuses: boolean } | null;
}

/** What may still happen, so that a configuration is finite. A fault is a reply that is lost, late or wrong. */
export type Budget = typeof noBudget;
export const noBudget = {
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
  backup: Stored | null;
  /** The database is restored, and not checked yet. */
  restored: boolean;
  /** How many references were given out. */
  refs: number;
  budget: Budget;
  /** Which promise the last step broke. */
  broken: string | null;
}

export const newRecord: Omit<RecordState, "ref" | "body"> = {
  ...{ resolution: "unresolved", status: null, revision: null, row: "unresolved/null/null" },
  ...{ step: "send", notFound: 0, leased: true, due: true, needsAttention: false },
  ...{ renews: null, wasApproved: false, expires: false, request: null },
};

export const newAttempt: Omit<AttemptState, "ref"> = {
  ...{ owns: true, step: "ask", notFound: 0, reply: null, answer: null, resends: false },
};

export const newExecution: Omit<Execution, "ref" | "body"> = {
  ...{ effects: 0, refused: false, decisions: [], isNew: false, late: 0, hasNews: false, request: null },
};

export const emptyState: Omit<State, "budget"> = {
  ...{ records: [], keys: [], proposal: null, remembered: [], attempts: [], executions: [] },
  ...{ backup: null, restored: false, refs: 0, broken: null },
};

export const find = <Part extends { ref: Ref }>(all: readonly Part[], ref: Ref): Part | undefined =>
  all.find((part) => part.ref === ref);

const replace = <Part>(all: readonly Part[], part: Part, changes: Partial<Part>): Part[] =>
  all.map((one) => (one === part ? { ...one, ...changes } : one));

/** What changes in a state if one of its parts changes. */
export const change = {
  record: (state: State, record: RecordState, changes: Partial<RecordState>) => ({
    records: replace(state.records, record, changes),
  }),
  attempt: (state: State, attempt: AttemptState, changes: Partial<AttemptState>) => ({
    attempts: replace(state.attempts, attempt, changes),
  }),
  execution: (state: State, execution: Execution, changes: Partial<Execution>) => ({
    executions: replace(state.executions, execution, changes),
  }),
};
