import { Failure, type ProposalDetails } from "@cardbridge/domain";
import { and, eq, type SQL, sql } from "drizzle-orm";
import { requireRow } from "../database/require-row.ts";
import { holds, platforms, proposals, users } from "../database/schema.ts";
import { pipelineCommit } from "../database/statements.ts";
import type { Call } from "../operation/call.ts";
import type { NamePorts } from "../persons/names.ts";
import { decryptPayload, type UserKey } from "./payload.ts";
import {
  type ProposalReader,
  type ProposalRow,
  proposalFields,
  readerOf,
  scopeOfKind,
  toProposals,
} from "./proposal.ts";

interface Stored {
  row: ProposalRow;
  encrypted: Buffer | null;
  key: UserKey;
  reference: string | null;
  whenProposed: ProposalDetails["now"];
  now: ProposalDetails["now"];
}

/** The proposal's user at this time. Holds and erasures keep their times, so no proposal stores a copy. */
const userAt = (at: SQL) => ({
  erasure: sql<ProposalDetails["now"]["erasure"]>`case when ${users.erasedAt} <= ${at} then 'erased'
    when ${users.eraseRequestedAt} <= ${at} then 'requested' else 'none' end`,
  held: sql<boolean>`exists (select from holds as h where h.platform_id = ${users.platformId} and h.user_id = ${users.id}
    and h.placed_at <= ${at} and coalesce(h.lifted_at > ${at}, true) and coalesce(h.until > ${at}, true))`,
});

/** @throws Failure PROPOSAL_NOT_FOUND; SCOPE_MISSING if the caller may not decide about this kind of act. */
export async function findProposal(
  ports: NamePorts,
  call: Call,
  proposalId: string,
): Promise<ProposalDetails> {
  const reader = readerOf(call);
  const found = await readProposal(ports, call, proposalId, reader);
  if (reader.kinds.includes(found.kind)) return found;
  const message = `This proposal requires a person and a key with the scope ${scopeOfKind[found.kind]}.`;
  throw new Failure("SCOPE_MISSING", { violations: [{ path: [], rule: "scope", message }] });
}

/** Reads a proposal of the call's platform with what it changes, as this reader sees it. */
async function readProposal(
  ports: NamePorts,
  { platformId }: Call,
  proposalId: string,
  reader: ProposalReader,
): Promise<ProposalDetails> {
  const { ring } = await ports.personalDataKeys();
  const stored = await ports.database.asPlatform<Stored | null>(platformId, async (tx) => {
    const found = tx
      .select({
        row: proposalFields(reader),
        encrypted: proposals.encrypted,
        key: { dataKey: users.dataKey, keyVersion: users.keyVersion },
        reference: holds.reference,
        whenProposed: userAt(sql`${proposals.proposedAt}`),
        now: userAt(sql`clock_timestamp()`),
      })
      .from(proposals)
      .innerJoin(platforms, eq(platforms.id, proposals.platformId))
      .innerJoin(users, and(eq(users.platformId, proposals.platformId), eq(users.id, proposals.userId)))
      .leftJoin(holds, and(eq(holds.platformId, proposals.platformId), eq(holds.id, proposals.holdId)))
      .where(and(eq(proposals.platformId, platformId), eq(proposals.id, proposalId)));
    return pipelineCommit([found], ([rows]) => rows[0] ?? null);
  });
  if (!stored) throw new Failure("PROPOSAL_NOT_FOUND");
  const { row, encrypted, key, reference, whenProposed, now } = stored;
  const payload = decryptPayload(encrypted, row, key, ring);
  const { decision, names: newNames } = payload ?? {};
  const shown = await toProposals(ports, [row], reader);
  return {
    ...requireRow(shown, "proposal"),
    note: payload?.note ?? null,
    subStatus: decision?.outcome === "answered" ? decision.subStatus : null,
    cardAccountId: decision?.outcome === "answered" ? decision.cardAccountId : null,
    email: newNames?.email ?? null,
    memberId: newNames?.memberId ?? null,
    reference,
    whenProposed,
    now,
  };
}
