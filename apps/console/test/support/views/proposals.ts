import type { RouterOutputs } from "@cardbridge/trpc-client";
import type { FakeState } from "./procedures.ts";
import { Refusal } from "./refusal.ts";
import { colleagues, type Row } from "./rows.ts";

type Details = RouterOutputs["proposals"]["get"];
type Input = Record<string, unknown>;
const hour = 3_600_000;

/** A proposal as the state has it. Who may decide depends on who asks. */
export type FakeProposal = Omit<Details, "mayConfirm" | "mayWithdraw" | "now">;

const [ada, ben, clarissa] = colleagues;
const bothOpened = { proposer: true, caller: true };
let made = 0;

/** A proposal about a row. */
export function proposalOf(row: Row, fields: Partial<FakeProposal> = {}): FakeProposal {
  const { platformId, platformName, externalUserId } = row;
  made += 1;
  const age = (made % 12) * 700_000;
  return {
    proposalId: `prop_01m8demo${String(made).padStart(18, "0")}`,
    kind: "erase",
    state: "open",
    platformId,
    platformName,
    externalUserId,
    kycRecordId: null,
    holdId: null,
    evidenceHash: null,
    evidenceOpened: null,
    proposer: ben,
    proposedBy: `${ben.personId}/key_01m8demo000000000000000000`,
    proposedAt: new Date(Date.now() - age).toISOString(),
    expiresAt: new Date(Date.now() - age + 24 * hour).toISOString(),
    decidedBy: null,
    decidedAt: null,
    note: "They wrote to us on Monday, case 4711.",
    subStatus: null,
    cardAccountId: null,
    email: null,
    memberId: null,
    reference: null,
    whenProposed: { erasure: "none", held: false },
    ...fields,
  };
}

/** A proposal of every kind and state. */
export function createProposals(rows: readonly Row[]): FakeProposal[] {
  const [open = rows[0], ...others] = rows.filter(({ resolution }) => resolution === "unresolved");
  const row = (index: number) => others[index] ?? open;
  const decided = { decidedBy: clarissa, decidedAt: new Date(Date.now() - hour).toISOString() };
  const own = { proposer: ada, proposedBy: `${ada.personId}/key_01m8demo000000000000000000` };
  const approval = {
    kind: "approve",
    evidenceHash: "a".repeat(64),
    subStatus: "approved",
    cardAccountId: "acct_0a1b2c3d4e5f",
  } as const;
  const hold = {
    kind: "liftHold",
    holdId: "hold_01m8demo000000000000000000",
    reference: "HKMA-2027/118",
  } as const;
  if (!open) return [];
  return [
    proposalOf(open, { ...approval, kycRecordId: open.kycRecordId, evidenceOpened: bothOpened }),
    proposalOf(row(1) ?? open, {
      kind: "relink",
      email: "chan.new@example.com",
      proposer: null,
      proposedBy: "claim:dana",
    }),
    proposalOf(row(2) ?? open),
    proposalOf(row(3) ?? open, { ...hold, ...own, note: null }),
    proposalOf(row(4) ?? open, {
      ...approval,
      kycRecordId: row(4)?.kycRecordId ?? null,
      state: "confirmed",
      ...decided,
    }),
    proposalOf(row(5) ?? open, { state: "withdrawn", ...decided }),
    proposalOf(row(6) ?? open, { state: "expired", expiresAt: decided.decidedAt }),
    proposalOf(row(7) ?? open, { ...approval, kycRecordId: row(7)?.kycRecordId ?? null, state: "void" }),
  ];
}

/** The procedures of proposals. */
export function proposalProcedures(state: FakeState) {
  const shown = (proposal: FakeProposal): Details => {
    const now = { ...proposal.whenProposed, held: state.holds.some(({ active }) => active) };
    const isVoid =
      (proposal.kind === "erase" || proposal.kind === "relink") && now.held !== proposal.whenProposed.held;
    const current = proposal.state === "open" && isVoid ? "void" : proposal.state;
    const isOpen = current === "open" && state.me.scopes.includes("ops.records.decide");
    const isOwn = proposal.proposer?.personId === state.me.personId;
    return { ...proposal, state: current, now, mayConfirm: isOpen && !isOwn, mayWithdraw: isOpen };
  };
  const find = ({ proposalId }: Input) => {
    const found = state.proposals.find((one) => one.proposalId === proposalId);
    if (!found) throw new Refusal(404, "PROPOSAL_NOT_FOUND", "There is no such proposal.");
    return found;
  };
  const decide = (input: Input, to: "confirmed" | "withdrawn") => {
    const found = find(input);
    const { personId, name } = state.me;
    const conflict = (rule: string) => new Refusal(409, "PROPOSAL_CONFLICT", `Not possible (${rule}).`, rule);
    if (state.conflict) {
      if (state.conflict === "changed") found.state = "void";
      if (state.conflict === "expired") found.state = "expired";
      throw conflict(state.conflict);
    }
    if (found.state !== "open") throw conflict("decided");
    if (to === "confirmed" && found.proposer?.personId === personId) throw conflict("same-person");
    Object.assign(found, { state: to, decidedBy: { personId, name }, decidedAt: new Date().toISOString() });
    return shown(found);
  };
  return {
    "proposals.list": ({ state: wanted, waitingForMe, kycRecordId, externalUserId }: Input) => {
      const all = state.proposals.map(shown);
      const proposals = all.filter(
        (one) =>
          (wanted === undefined || one.state === wanted) &&
          (waitingForMe === undefined || one.mayConfirm) &&
          (kycRecordId === undefined || one.kycRecordId === kycRecordId) &&
          (externalUserId === undefined || one.externalUserId === externalUserId),
      );
      const waiting = all.filter(({ mayConfirm }) => mayConfirm).length;
      return { proposals, waitingForMe: waiting, nextCursor: null };
    },
    "proposals.get": (input: Input) => shown(find(input)),
    "proposals.confirm": (input: Input) => decide(input, "confirmed"),
    "proposals.withdraw": (input: Input) => decide(input, "withdrawn"),
  };
}
