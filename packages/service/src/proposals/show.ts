import type { ProposalDetails, ProposalReader } from "@cardbridge/domain";
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { holds, platforms, proposals, users } from "../database/schema.ts";
import { pipelineCommit } from "../database/statements.ts";
import type { KeyRing } from "../encryption/key-ring.ts";
import type { NamePorts } from "../persons/names.ts";
import { decryptPayload, type UserKey } from "./payload.ts";
import { type ProposalRow, proposalFields, toProposals } from "./rows.ts";

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

/** Reads a proposal with what it changes; null if the platform has no such proposal. */
export async function showProposal(
  database: Database,
  { ring, names }: { ring: KeyRing; names: NamePorts },
  { platformId, proposalId }: { platformId: string; proposalId: string },
  reader: ProposalReader,
): Promise<ProposalDetails | null> {
  const stored = await database.asPlatform<Stored | null>(platformId, async (tx) => {
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
  if (!stored) return null;
  const { row, encrypted, key, reference, whenProposed, now } = stored;
  const payload = decryptPayload(encrypted, row, key, ring);
  const { decision, names: newNames } = payload ?? {};
  const [shown] = await toProposals([row], reader, names);
  if (!shown) return null;
  return {
    ...shown,
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
