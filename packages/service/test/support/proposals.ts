import { type AuditOrigin, Failure, type OperatorScope, type ProposalKind } from "@cardbridge/domain";
import { confirmedActs, type Ports } from "../../src/index.ts";
import type { OperationCall } from "../../src/operation/call.ts";
import { carryOutConfirmed } from "../../src/proposals/confirm.ts";
import { findProposal } from "../../src/proposals/find.ts";
import { readProposals } from "../../src/proposals/list.ts";
import type { ProposedAct } from "../../src/proposals/payload.ts";
import { type ProposalReader, scopeOfKind } from "../../src/proposals/proposal.ts";
import { propose as proposeAct } from "../../src/proposals/propose.ts";
import { withdrawProposal } from "../../src/proposals/withdraw.ts";
import { operatorCall, personCall } from "./calls.ts";
import { openEvidence } from "./opening.ts";
import { makeWorld } from "./world.ts";

const kinds: ProposalKind[] = ["approve", "relink", "erase", "liftHold"];
export const evidenceHash = "a".repeat(64);
export const decision = { outcome: "answered", subStatus: "approved", cardAccountId: "acct_1" } as const;

/** An act, with the platform of its subject. */
type ActOn = ProposedAct & { platformId: string };

interface Proposing {
  personId?: string | null;
  version?: string | undefined;
  note?: string;
}

/** A world with three persons: Ada, Grace and Cleo. */
export async function makeProposalWorld() {
  const world = await makeWorld();
  const { admin, holds, ports, submitted } = world;
  const persons = ["Ada", "Grace", "Cleo"].map((name) => ({ personId: `per_${name.toLowerCase()}`, name }));
  for (const person of persons) await world.person(person);
  const open = (kycRecordId: string, personId: string, hash = evidenceHash) =>
    openEvidence(world, { kycRecordId, personId, evidenceHash: hash });

  /** A user with an unresolved record whose evidence all persons have opened. */
  async function user() {
    const someone = await submitted();
    for (const { personId } of persons) await open(someone.kycRecordId, personId);
    return someone;
  }

  /** The call of an operation about a proposal, by a reader. */
  async function callAbout(proposalId: string, { personId, kinds }: ProposalReader, operation: string) {
    const [row] = await admin("select platform_id from proposals where id = $1", [proposalId]);
    const scopes: OperatorScope[] = kinds.map((kind) => scopeOfKind[kind]);
    const caller = personId === null ? operatorCall : personCall(scopes, { personId });
    return { ...caller, platformId: row?.platform_id ?? "plt_none", operation };
  }

  const propose = (
    { platformId, ...act }: ActOn,
    { personId = "per_ada", version, note }: Proposing = {},
  ) => {
    const by = callOf(personId, "propose");
    const person = personId === null ? undefined : personCall([], { personId }).person;
    const call: OperationCall = { ...operatorCall, ...by, platformId, person };
    // The actor of a person's call is derived.
    if (person) call.actor = "key_1";
    return proposeAct(ports, call, { act, version, note });
  };

  const show = async (proposalId: string, reader: ProposalReader) =>
    findProposal(ports, await callAbout(proposalId, reader, "proposals.get"), proposalId);

  async function confirmOn(
    on: Ports,
    proposalId: string,
    { personId, hash }: { personId: string; hash: string | null },
  ) {
    const call = await callAbout(proposalId, readerOf(personId), "proposals.confirm");
    const change = await carryOutConfirmed(on, call, confirmedActs, { proposalId, evidenceHash: hash });
    return { confirmed: true as const, change };
  }

  return {
    ...world,
    open,
    proposals: {
      show,
      list: (platforms: readonly string[] | "all", query: object, reader: ProposalReader) =>
        readProposals(ports, { platforms, query: { limit: 100, ...query }, reader }),
    },

    user,
    propose,

    /** A new user, about whom Ada proposes this act. */
    async proposed(kind: keyof ReturnType<typeof actsOn>, changes: Proposing = {}) {
      const someone = await user();
      const { proposalId } = await propose(actsOn(someone)[kind], changes);
      return { ...someone, proposalId };
    },

    async hold({ platformId, externalUserId }: { platformId: string; externalUserId: string }) {
      return (await holds.place(platformId, { externalUserId }, "claim:eve"))?.holdId ?? "";
    },

    confirmOn,

    confirm: (proposalId: string, personId = "per_grace", hash: string | null = evidenceHash) =>
      orWhy(confirmOn(ports, proposalId, { personId, hash })).then((result) =>
        typeof result === "string" ? { confirmed: false as const, why: result } : result,
      ),

    withdraw: async (proposalId: string, personId: string | null = "per_ada") => {
      const { platformId: _reached, ...call } = await callAbout(proposalId, readerOf(personId), "");
      const caller = { ...call, platformId: "internal", actor: personId === null ? "claim:bob" : "key_1" };
      const withdrawn = await orWhy(withdrawProposal.execute(ports, caller, { proposalId }));
      if (typeof withdrawn === "string") return { withdrawn: false as const, why: withdrawn };
      return withdrawn && { withdrawn: true as const };
    },

    stateOf: async (proposalId: string) => (await show(proposalId, readerOf(null))).state,
  };
}

export const readerOf = (personId: string | null, of: readonly ProposalKind[] = kinds) => ({
  personId,
  kinds: of,
});

export const callOf = (personId: string | null, operation: string): AuditOrigin => ({
  actor: personId === null ? "claim:bob" : `${personId}/key_1`,
  requestId: "req_1",
  address: null,
  operation,
});

/** The acts on a user: an approval, a relink and an erasure. */
export const actsOn = (user: { platformId: string; externalUserId: string; kycRecordId: string }) => {
  const { platformId, externalUserId, kycRecordId } = user;
  return {
    approve: { kind: "approve", platformId, kycRecordId, decision, evidenceHash },
    relink: { kind: "relink", platformId, externalUserId, names: { email: "Erin@example.com" } },
    erase: { kind: "erase", platformId, externalUserId },
  } as const satisfies Partial<Record<ProposalKind, ActOn>>;
};

/** The code of a rejection, with its rule. */
export const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => "done",
    ({ code, details }: { code: string; details?: { violations?: { rule: string }[] } }) =>
      [code, details?.violations?.[0]?.rule].filter(Boolean).join(" "),
  );

/** The rule of a refused decision; undefined for a proposal that does not exist. */
async function orWhy<T>(result: Promise<T>): Promise<T | string | undefined> {
  try {
    return await result;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code === "PROPOSAL_NOT_FOUND") return undefined;
    if (error.code === "PROPOSAL_CONFLICT") return error.details.violations?.[0]?.rule;
    throw error;
  }
}
