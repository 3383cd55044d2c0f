import { randomUUID } from "node:crypto";
import { operatorScope, type ProposalKind } from "@cardbridge/domain";
import { evidenceRepository } from "../../src/database.ts";
import { carryOutLift } from "../../src/holds/lift.ts";
import type { Ports } from "../../src/index.ts";
import { confirmProposal } from "../../src/proposals/confirm.ts";
import { getProposal } from "../../src/proposals/get.ts";
import type { ProposedAct } from "../../src/proposals/payload.ts";
import { propose } from "../../src/proposals/propose.ts";
import { withdrawProposal } from "../../src/proposals/withdraw.ts";
import { carryOutApproval } from "../../src/records/approve.ts";
import { carryOutErasure } from "../../src/users/erase.ts";
import { carryOutRelink } from "../../src/users/relink.ts";
import { operatorCall, personCall } from "./calls.ts";
import { keys, makeWorld } from "./world.ts";

const kinds: ProposalKind[] = ["approve", "relink", "erase", "liftHold"];
export const evidenceHash = "a".repeat(64);
export const decision = { outcome: "answered", subStatus: "approved", cardAccountId: "acct_1" } as const;

const acts = {
  approve: carryOutApproval,
  relink: carryOutRelink,
  erase: carryOutErasure,
  liftHold: carryOutLift,
};

/** An act on a user of this platform. */
type ActOn = ProposedAct & { platformId: string };

interface Proposing {
  version?: string | undefined;
  note?: string | undefined;
  personId?: string | null;
}

/** A person's call with all scopes, or one of the command line. */
export const callBy = (personId: string | null) =>
  personId === null
    ? { ...operatorCall, actor: "claim:bob" }
    : personCall(operatorScope.options, { personId });

/** A world with three persons: Ada, Grace and Cleo. */
export async function makeProposalWorld() {
  const world = await makeWorld();
  const { database, holds, submitted } = world;
  const persons = ["per_ada", "per_grace", "per_cleo"];
  for (const [index, name] of ["Ada", "Grace", "Cleo"].entries())
    await world.person({ personId: persons[index] ?? "", name });
  const evidence = evidenceRepository(database, { keys, fileIdOf: () => undefined });
  const ports: Ports = { ...world.ports, evidence };

  async function open(kycRecordId: string, personId: string, hash = evidenceHash) {
    const openingId = `open_${randomUUID()}`;
    const by = {
      actor: `${personId}/key_1`,
      requestId: null,
      address: null,
      operation: "records.submission",
    };
    await evidence.open({ kycRecordId, openingId, personId, purpose: "review", evidenceHash: hash, by });
    return openingId;
  }

  /** A user with an unresolved record whose evidence all persons have opened. */
  async function user() {
    const someone = await submitted();
    for (const personId of persons) await open(someone.kycRecordId, personId);
    return someone;
  }

  const proposeAct = ({ platformId, ...act }: ActOn, { personId = "per_ada", ...changes }: Proposing = {}) =>
    propose(ports, { ...callBy(personId), platformId, operation: "propose" }, { act, ...changes });

  /** Reads a proposal as a person, or as the command line. */
  const show = async (proposalId: string, personId: string | null = "per_grace") =>
    (await getProposal.execute(ports, callBy(personId), { proposalId })).data;

  return {
    ...world,
    ports,
    evidence,
    open,
    user,
    propose: proposeAct,
    show,

    /** A new user, about whom Ada proposes this act. */
    async proposed(kind: keyof ReturnType<typeof actsOn>, changes: Proposing = {}) {
      const someone = await user();
      const { proposalId } = await proposeAct(actsOn(someone)[kind], changes);
      return { ...someone, proposalId };
    },

    async hold({ platformId, externalUserId }: { platformId: string; externalUserId: string }) {
      return (await holds.place(platformId, { externalUserId }, "claim:eve"))?.holdId ?? "";
    },

    /** Confirms while the evidence has this hash; see `refusal` for the result. */
    confirm: (proposalId: string, personId = "per_grace", hash = evidenceHash, on = ports) =>
      refusal(
        confirmProposal({ ...acts, evidenceHashOf: async () => hash }).execute(on, callBy(personId), {
          proposalId,
        }),
      ),

    withdraw: (proposalId: string, personId: string | null = "per_ada") =>
      refusal(withdrawProposal.execute(ports, callBy(personId), { proposalId })),

    stateOf: async (proposalId: string) => (await show(proposalId, null)).state,
  };
}

export const readerOf = (personId: string | null, of: readonly ProposalKind[] = kinds) => ({
  personId,
  kinds: of,
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

/** "done", or the code of a rejection with its rule. Throws what is no failure of an operation. */
export const refusal = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "done",
    (error: { code?: string; details?: { violations?: { rule: string }[] } }) => {
      if (error.code === undefined) throw error;
      return [error.code, error.details?.violations?.[0]?.rule].filter(Boolean).join(" ");
    },
  );
