import { Failure, type Proposals, type ProposedAct } from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { requireRow } from "../database/require-row.ts";
import type { KeySet } from "../encryption/keys.ts";
import { createVerifiedKeys } from "../encryption/verified-keys.ts";
import { findPlatform } from "../kyc/find-platform.ts";
import type { NamePorts } from "../persons/names.ts";
import { createProposal } from "./create.ts";
import { confirmProposal, withdrawProposal } from "./decide.ts";
import { listProposals } from "./list-rows.ts";
import { toProposals } from "./rows.ts";
import { showProposal } from "./show.ts";

/** Acts that need two persons; see the port for the contract. */
export function proposalsRepository(database: Database, keys: KeySet, names: NamePorts): Proposals {
  const verifiedKeys = createVerifiedKeys(database, keys);

  async function platformOf(proposalId: string): Promise<string | null> {
    const { rows } = await database.withoutPlatform((tx) =>
      tx.execute<{ platform_id: string | null }>(
        sql`select platform_of_proposal(${proposalId}) as platform_id`,
      ),
    );
    return rows[0]?.platform_id ?? null;
  }

  /** @throws Failure KYC_RECORD_NOT_FOUND. */
  async function platformOfAct(act: ProposedAct): Promise<string> {
    if (act.kind !== "approve") return act.platformId;
    const platformId = await findPlatform(database, act.kycRecordId);
    if (platformId === undefined) throw new Failure("KYC_RECORD_NOT_FOUND");
    return platformId;
  }

  return {
    platformOf,

    async create(proposal) {
      const personalDataKeys = await verifiedKeys();
      const platformId = await platformOfAct(proposal.act);
      const row = await database.asPlatform(
        platformId,
        createProposal(personalDataKeys, platformId, proposal),
      );
      const reader = { personId: proposal.personId, kinds: [proposal.act.kind] };
      return requireRow(await toProposals([row], reader, names), "proposal");
    },

    async show(proposalId, reader) {
      const { ring } = await verifiedKeys();
      const platformId = await platformOf(proposalId);
      if (platformId === null) return null;
      return showProposal(database, { ring, names }, { platformId, proposalId }, reader);
    },

    async list(platforms, query, reader) {
      const { rows, ...page } = await database.asOperators(platforms, (tx) =>
        listProposals(tx, query, reader),
      );
      return { ...page, proposals: await toProposals(rows, reader, names) };
    },

    async confirm(proposalId, confirmation) {
      const personalDataKeys = await verifiedKeys();
      const platformId = await platformOf(proposalId);
      if (platformId === null) return undefined;
      return confirmProposal(database, personalDataKeys, { platformId, proposalId }, confirmation);
    },

    async withdraw(proposalId, by) {
      const platformId = await platformOf(proposalId);
      if (platformId === null) return undefined;
      return withdrawProposal(database, { platformId, proposalId }, by);
    },
  };
}
