import { randomUUID } from "node:crypto";
import type { AuditOrigin, NewProposal, ProposalKind, ProposedAct } from "@cardbridge/domain";
import { identifyPersons, kycAdmin, proposalsRepository } from "../../src/database.ts";
import { openEvidence } from "./opening.ts";
import { keys, makeWorld } from "./world.ts";

const kinds: ProposalKind[] = ["approve", "relink", "erase", "liftHold"];
export const evidenceHash = "a".repeat(64);
export const decision = { outcome: "answered", subStatus: "approved", cardAccountId: "acct_1" } as const;

/** A world with three persons: Ada, Grace and Cleo. */
export async function makeProposalWorld() {
  const world = await makeWorld();
  const { database, holds, submitted } = world;
  const identify = identifyPersons(database, keys);
  const persons = ["Ada", "Grace", "Cleo"].map((name) => ({ personId: `per_${name.toLowerCase()}`, name }));
  for (const { personId, name } of persons) {
    await identify({
      ...{ issuer: "https://issuer.example.com", subject: name, name, roles: [] },
      newPersonId: personId,
    });
  }
  const names = async (ids: readonly string[]) => persons.filter(({ personId }) => ids.includes(personId));
  const proposals = proposalsRepository(database, keys, names);
  const open = (kycRecordId: string, personId: string, hash = evidenceHash) =>
    openEvidence(world, { kycRecordId, personId, evidenceHash: hash });

  /** A user with an unresolved record whose evidence all persons have opened. */
  async function user() {
    const someone = await submitted();
    for (const { personId } of persons) await open(someone.kycRecordId, personId);
    return someone;
  }

  const propose = (act: ProposedAct, changes: Partial<NewProposal> = {}) =>
    proposals.create({
      proposalId: `prop_${randomUUID()}`,
      act,
      personId: "per_ada",
      by: callOf("per_ada", "propose"),
      ...changes,
    });

  return {
    ...world,
    open,
    names,
    proposals,
    records: kycAdmin(database, { leaseSeconds: 30, keys, names }),

    user,
    propose,

    /** A new user, about whom Ada proposes this act. */
    async proposed(kind: keyof ReturnType<typeof actsOn>, changes: Partial<NewProposal> = {}) {
      const someone = await user();
      const { proposalId } = await propose(actsOn(someone)[kind], changes);
      return { ...someone, proposalId };
    },

    async hold({ platformId, externalUserId }: { platformId: string; externalUserId: string }) {
      const holdId = `hold_${randomUUID()}`;
      await holds.place(platformId, {
        ...{ holdId, externalUserId, reference: "HKMA-2027/118", until: null, placedBy: "claim:eve" },
      });
      return holdId;
    },

    confirm: (proposalId: string, personId = "per_grace", hash: string | null = evidenceHash) =>
      proposals.confirm(proposalId, {
        ...{ personId, evidenceHash: hash, noteId: `note_${randomUUID()}` },
        by: callOf(personId, "proposals.confirm"),
      }),

    withdraw: (proposalId: string, personId: string | null = "per_ada") =>
      proposals.withdraw(proposalId, { ...callOf(personId, "proposals.withdraw"), personId }),

    stateOf: async (proposalId: string) => (await proposals.show(proposalId, readerOf(null)))?.state,
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
    approve: { kind: "approve", kycRecordId, decision, evidenceHash },
    relink: { kind: "relink", platformId, externalUserId, names: { email: "Erin@example.com" } },
    erase: { kind: "erase", platformId, externalUserId },
  } as const satisfies Partial<Record<ProposalKind, ProposedAct>>;
};

/** The code of a rejection, with its rule. */
export const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => "done",
    ({ code, details }: { code: string; details?: { violations?: { rule: string }[] } }) =>
      [code, details?.violations?.[0]?.rule].filter(Boolean).join(" "),
  );
