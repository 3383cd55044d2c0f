import { evidenceProcedures, type FakeEvidence, fullEvidence } from "./evidence.ts";
import { createProposals, type FakeProposal, proposalOf, proposalProcedures } from "./proposals.ts";
import { attemptsOf, type FakeRow, notesOf, recordOf } from "./record.ts";
import { Refusal } from "./refusal.ts";
import { colleagues, createRows, personWith, platforms, type Row } from "./rows.ts";
import { createServiceState, type ServiceState } from "./service.ts";
import { createServiceProcedures, serviceWrites } from "./service-procedures.ts";
import { type createHold, userActProcedures } from "./user-acts.ts";

export { Refusal };

/** What a test changes about the fake service while it runs. */
export interface FakeState {
  environment: "live" | "test";
  signedOut: boolean;
  delayMs: number;
  me: ReturnType<typeof personWith>;
  rows: FakeRow[];
  /** Everything beside records and users. */
  service: ServiceState;
  evidence: FakeEvidence;
  proposals: FakeProposal[];
  /** Why the next decision about a proposal is refused. */
  conflict: "changed" | "expired" | "decided" | "same-person" | "evidence-not-opened" | undefined;
  holds: ReturnType<typeof createHold>[];
  /** Whether the users are erased. */
  erased: boolean;
  /** The failures of procedures, by name. */
  failures: Map<string, Refusal>;
  /** The inputs of all writes, oldest first. */
  writes: { name: string; input: Record<string, unknown> }[];
}

export function createState(role: Parameters<typeof personWith>[0] = "support", count = 240): FakeState {
  const rows = createRows(count);
  return {
    environment: "live",
    signedOut: false,
    delayMs: 0,
    me: personWith(role),
    rows,
    service: createServiceState(),
    evidence: fullEvidence(),
    proposals: createProposals(rows),
    conflict: undefined,
    holds: [],
    erased: false,
    failures: new Map(),
    writes: [],
  };
}

type Input = Record<string, unknown>;

/** The procedures that the console calls, over the state's rows. */
export function createProcedures(state: FakeState): Record<string, (input: Input) => unknown> {
  const extra = new Map<string, ReturnType<typeof notesOf>>();
  const attempts = new Map<string, number>();
  const find = ({ kycRecordId }: Input): FakeRow => {
    const row = state.rows.find((one) => one.kycRecordId === kycRecordId);
    if (!row) throw new Refusal(404, "KYC_RECORD_NOT_FOUND", "There is no such KYC record on this platform.");
    return row;
  };
  const attempt = ({ kycRecordId, lastAttempt }: Row) =>
    (lastAttempt?.count ?? 1) + 1 + (attempts.get(kycRecordId) ?? 0);
  const notes = (row: Row) => {
    const all = [...notesOf(row), ...(extra.get(row.kycRecordId) ?? [])];
    const shown = all.filter(({ restricted }) => !restricted || state.me.scopes.includes("ops.compliance"));
    return { kycRecordId: row.kycRecordId, notes: shown, hidden: all.length - shown.length };
  };
  const ask = (input: Input) => {
    const row = find(input);
    const before = recordOf(row, attempt(row));
    attempts.set(row.kycRecordId, (attempts.get(row.kycRecordId) ?? 0) + 1);
    if (row.resolution === "unresolved") {
      Object.assign(row, {
        resolution: "answered",
        status: "PENDING_APPROVAL",
        subStatus: "pending_approval",
      });
      Object.assign(row, { needsAttentionSince: null });
    }
    const answered = {
      outcome: "answered",
      subStatus: row.subStatus ?? "",
      cardAccountId: null,
      revision: 2,
    };
    return { before, after: recordOf(row, attempt(row)), asked: answered, sent: null };
  };

  const showUser = ({ platformId, externalUserId }: Input) => {
    const records = state.rows.slice(0, 12).filter((_, index) => index % 4 === 0 || index > 8);
    if (externalUserId === "usr_nobody")
      throw new Refusal(404, "USER_NOT_FOUND", "There is no such user on this platform.");
    return {
      platformId,
      externalUserId,
      createdAt: state.rows[60]?.createdAt,
      erasure: state.erased ? "erased" : "none",
      held: state.holds.some(({ active }) => active),
      version: "u3",
      records,
    };
  };
  /** Decides as the service does: with four eyes an approval is only proposed. */
  const resolve = (input: Input) => {
    const row = find(input);
    const before = recordOf(row, attempt(row));
    const { outcome, subStatus } = input.decision as { outcome: string; subStatus?: string };
    if (subStatus === "approved" && state.service.fourEyes) {
      const { personId, name } = state.me;
      const made = proposalOf(row, {
        kind: "approve",
        kycRecordId: row.kycRecordId,
        subStatus: "approved",
        evidenceOpened: { proposer: true, caller: true },
        proposer: { personId, name },
        note: String(input.note ?? ""),
      });
      state.proposals.unshift(made);
      return { before, after: before, proposal: { ...made, mayConfirm: false, mayWithdraw: true } };
    }
    const status =
      { approved: "APPROVED", rejected: "REJECTED", pending_approval: "PENDING_APPROVAL" }[subStatus ?? ""] ??
      null;
    const refused = outcome === "refused";
    Object.assign(row, {
      resolution: refused ? "refused" : "answered",
      status: refused ? null : (status ?? "PENDING"),
      subStatus: subStatus ?? null,
      needsAttentionSince: null,
    });
    return { before, after: recordOf(row, attempt(row)), proposal: null };
  };

  const procedures: Record<string, (input: Input) => unknown> = {
    ...evidenceProcedures(state, find),
    ...proposalProcedures(state),
    ...userActProcedures(state, showUser),
    "records.resolve": resolve,
    "persons.me": () => ({
      ...state.me,
      platforms: [...state.me.platforms, ...state.service.created],
    }),
    "records.counts": () => {
      const open = state.rows.filter(isOpen);
      return {
        needsAttention: open.filter(({ needsAttentionSince }) => needsAttentionSince !== null).length,
        open: open.length,
        assignedToMe: open.filter(({ assignee }) => assignee?.personId === state.me.personId).length,
        oldestOpenAt: open.map(({ createdAt }) => createdAt).sort()[0] ?? null,
        decided: {
          APPROVED: { count: 10_000, more: true },
          REJECTED: { count: 812, more: false },
          refused: { count: 95, more: false },
        },
      };
    },
    "records.search": (input) => search(state.rows, input),
    "records.get": (input) => {
      const row = find(input);
      return { ...recordOf(row, attempt(row)), notes: notes(row).notes.length };
    },
    "records.state": (input) => {
      const row = find(input);
      const {
        next: _,
        history: __,
        deliveries: ___,
        explanation: ____,
        views: _____,
        ...rest
      } = recordOf(row, attempt(row));
      return { ...rest, notes: notes(row).notes.length };
    },
    "records.attempts": (input) => ({
      kycRecordId: input.kycRecordId,
      attempts: attemptsOf(find(input)),
      persons: colleagues,
    }),
    "records.notes": (input) => notes(find(input)),
    "records.addNote": (input) => {
      const { kycRecordId } = find(input);
      const note = {
        noteId: `note_${Math.random().toString(36).slice(2)}`,
        text: String(input.text),
        restricted: input.restricted === true,
        by: { personId: state.me.personId, name: state.me.name },
        actor: state.me.personId,
        createdAt: new Date().toISOString(),
      };
      extra.set(kycRecordId, [...(extra.get(kycRecordId) ?? []), note]);
      return note;
    },
    "records.assign": (input) => {
      const row = find(input);
      if (input.version !== row.assignmentVersion) {
        throw new Refusal(
          409,
          "KYC_RECORD_CONFLICT",
          "The state of the KYC record does not allow this; see errors.",
        );
      }
      const me = { personId: state.me.personId, name: state.me.name };
      row.assignee = [me, ...colleagues].find(({ personId }) => personId === input.assignee) ?? null;
      row.assignmentVersion += 1;
      row.assignedAt = new Date().toISOString();
      return { kycRecordId: row.kycRecordId, assignee: row.assignee, version: row.assignmentVersion };
    },
    "records.refresh": ask,
    "records.resend": ask,
    "records.requeue": (input) => procedures["records.state"]?.(input),
    "records.requeueMany": ({ preview, limit }) => {
      const held = state.rows.filter(({ needsAttentionSince }) => needsAttentionSince !== null);
      const requeued = preview ? [] : held.slice(0, Math.min(Number(limit), 5));
      for (const row of requeued) row.needsAttentionSince = null;
      return { matching: held.length, requeued: requeued.length, more: requeued.length < held.length };
    },
    "users.find": (input) => ({
      users: Object.values(input).some((value) => String(value).includes("nobody"))
        ? []
        : state.rows
            .slice(0, input.externalUserId === undefined ? 3 : 1)
            .map(({ platformId, platformName, externalUserId, createdAt }, index) => ({
              platformId,
              platformName,
              externalUserId,
              createdAt,
              erasure: index === 1 ? "requested" : "none",
              held: index === 1,
            })),
    }),
    "users.show": showUser,
    "users.cards": () => {
      if (state.erased) throw new Refusal(404, "USER_NOT_FOUND", "There is no such user on this platform.");
      return { items: cards, page: 1, pageSize: 50, total: cards.length, totalPages: 1 };
    },
    "audit.request": ({ requestId }) => ({
      entries: String(requestId).includes("nothing")
        ? []
        : [
            {
              id: "184467",
              at: new Date(Date.now() - 7_400_000).toISOString(),
              platformId: platforms[0]?.platformId,
              actor: "key_01m8demo000000000000000000",
              operation: "kyc.submit",
              subject: state.rows[3]?.kycRecordId,
              outcome: "KYC_ALREADY_SUBMITTED",
              address: "192.0.2.1",
              requestId,
              count: null,
            },
          ],
    }),
  };
  const service = createServiceProcedures(state.service);
  const writes = new Set([
    ...serviceWrites,
    "records.addNote",
    "records.assign",
    "records.refresh",
    "records.resend",
    "records.requeue",
    "records.submission",
    "records.restrictedReasons",
    "records.resolve",
    "proposals.confirm",
    "proposals.withdraw",
    "users.identifiers",
    "users.relink",
    "users.erase",
    "users.exportPart",
    "holds.place",
    "holds.lift",
  ]);
  return Object.fromEntries(
    Object.entries({ ...procedures, ...service }).map(([name, run]) => [
      name,
      (input: Input) => {
        if (writes.has(name)) state.writes.push({ name, input });
        const failure = state.failures.get(name);
        if (failure) throw failure;
        return run(input);
      },
    ]),
  );
}

const isOpen = ({ resolution, status }: Row) =>
  resolution === "unresolved" ||
  (resolution === "answered" && status !== "APPROVED" && status !== "REJECTED");

function search(rows: readonly Row[], input: Input) {
  const from = Number(input.cursor ?? 0);
  const limit = Number(input.limit ?? 50);
  const found = rows.filter(
    (row) =>
      (input.needsAttention === undefined || row.needsAttentionSince !== null) &&
      (input.open === undefined || isOpen(row)) &&
      (input.status === undefined || row.status === input.status) &&
      (input.resolution === undefined || row.resolution === input.resolution) &&
      (input.reason === undefined || row.reasons.some((code) => code === input.reason)) &&
      (input.platformIds === undefined || (input.platformIds as string[]).includes(row.platformId)) &&
      (input.assignee === undefined || (row.assignee?.personId ?? "none") === input.assignee) &&
      (input.createdAfter === undefined || row.createdAt > String(input.createdAfter)),
  );
  // The rows are newest first.
  const ordered = input.order === "oldest" ? found.reverse() : found;
  const next = from + limit < ordered.length ? String(from + limit) : null;
  return {
    records: ordered.slice(from, from + limit),
    nextCursor: next,
    narrow: false,
    asOf: new Date().toISOString(),
  };
}

const cards = [
  { last4: "4242", status: "active", network: "visa", expiryMonth: 4, expiryYear: 2029 },
  { last4: "0091", status: "locked", network: "visa", expiryMonth: 11, expiryYear: 2027 },
  { last4: null, status: "pending_production", network: null, expiryMonth: null, expiryYear: null },
].map((card, index) => ({
  cardId: `card_0${index}a1b2c3d4e5f6`,
  memberId: null,
  cardAccountId: "acct_0a1b2c3d4e5f",
  type: "virtual",
  nameOnCard: null,
  currency: "HKD",
  createdAt: null,
  ...card,
}));
