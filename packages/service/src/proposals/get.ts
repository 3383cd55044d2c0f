import { Failure, type ProposalDetails, proposalDetails, proposalReference } from "@cardbridge/domain";
import { and, eq, type SQL, sql } from "drizzle-orm";
import { requireRow } from "../database/require-row.ts";
import { holds, platforms, proposals, users } from "../database/schema.ts";
import { pipelineCommit } from "../database/statements.ts";
import { forOperators } from "../operation/actors.ts";
import type { Call } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import type { NamePorts } from "../persons/names.ts";
import { decryptPayload } from "./payload.ts";
import {
  deciderScopes,
  exampleProposalDetails,
  proposalFields,
  readerOf,
  scopeOfKind,
  toProposals,
} from "./proposal.ts";

/** Reads a proposal with what it changes. */
export const getProposal = defineOperation({
  ...forOperators(...deciderScopes),
  id: "proposals.get",
  kind: "read",
  summary: "Read a proposal",
  description:
    "Reads a proposal with its note and what it changes, new identifiers included. A caller's reads are audited once an " +
    "hour.",
  input: proposalReference,
  rules: [],
  output: proposalDetails,
  example: {
    input: { proposalId: exampleProposalDetails.proposalId },
    output: exampleProposalDetails,
  },
  errors: ["PROPOSAL_NOT_FOUND"],
  audit: ["done"],
  oncePerHour: true,

  async run(ports, call, { proposalId }) {
    return { data: await readProposal(ports, call, proposalId), subject: proposalId };
  },
});

/** The proposal's user at this time. Holds and erasures keep their times, so no proposal stores a copy. */
const userAt = (at: SQL) => ({
  erasure: sql<ProposalDetails["now"]["erasure"]>`case when ${users.erasedAt} <= ${at} then 'erased'
    when ${users.eraseRequestedAt} <= ${at} then 'requested' else 'none' end`,
  held: sql<boolean>`exists (select from holds as h where h.platform_id = ${users.platformId} and h.user_id = ${users.id}
    and h.placed_at <= ${at} and coalesce(h.lifted_at > ${at}, true) and coalesce(h.until > ${at}, true))`,
});

/**
 * Reads a proposal of the call's platform with what it changes.
 * @throws Failure PROPOSAL_NOT_FOUND; SCOPE_MISSING if the caller may not decide about this kind of act.
 */
export async function readProposal(
  ports: NamePorts,
  call: Call,
  proposalId: string,
): Promise<ProposalDetails> {
  const { platformId } = call;
  const reader = readerOf(call);
  const { ring } = await ports.personalDataKeys();
  const stored = await ports.database.asPlatform(platformId, async (tx) => {
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
  if (!reader.kinds.includes(row.kind)) {
    const message = `This proposal requires a person and a key with the scope ${scopeOfKind[row.kind]}.`;
    throw new Failure("SCOPE_MISSING", { violations: [{ path: [], rule: "scope", message }] });
  }
  const payload = decryptPayload(encrypted, row, key, ring);
  const { decision, names } = payload ?? {};
  const shown = requireRow(await toProposals([row], reader, ports), "proposal");
  return {
    ...shown,
    note: payload?.note ?? null,
    subStatus: decision?.outcome === "answered" ? decision.subStatus : null,
    cardAccountId: decision?.outcome === "answered" ? decision.cardAccountId : null,
    email: names?.email ?? null,
    memberId: names?.memberId ?? null,
    reference,
    whenProposed,
    now,
  };
}
