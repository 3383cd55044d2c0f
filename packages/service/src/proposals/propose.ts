import { Failure, type Proposal } from "@cardbridge/domain";
import { and, eq, ne, or, sql } from "drizzle-orm";
import { pgTable } from "drizzle-orm/pg-core";
import { requireRow } from "../database/require-row.ts";
import { proposalColumns } from "../database/schema/proposals.ts";
import { holds, kycRecords, platforms, proposals, users } from "../database/schema.ts";
import { pipelineCommit, type Tx } from "../database/statements.ts";
import { blindIndex } from "../encryption/blind-index.ts";
import type { PersonalDataKeys } from "../encryption/keys.ts";
import { audit } from "../operation/audit.ts";
import { actorOf, type OperationCall } from "../operation/call.ts";
import type { Ports } from "../operation/ports.ts";
import { encryptPayload, type ProposalRef, type ProposedAct, payloadOf } from "./payload.ts";
import { maybeOpen, type ProposalRow, proposalFields, proposalState, toProposals } from "./proposal.ts";

/** The insertable columns of proposals. Drizzle's insert lists every column of its table, granted or not. */
const newProposals = pgTable("proposals", proposalColumns());

interface Proposing {
  act: ProposedAct;
  /** The version that the proposer saw; undefined for the current one. */
  version?: string | undefined;
  note?: string | undefined;
}

/**
 * Proposes an act of the operation, for another person to confirm (gap G38). One transaction stores the proposal with the
 * current version of its subject, and audits it.
 * @throws Failure KYC_RECORD_NOT_FOUND, USER_NOT_FOUND, HOLD_NOT_FOUND; PROPOSAL_CONFLICT for another version, for a subject
 *   that the act cannot change, or if an equal proposal is open.
 */
export async function propose(
  ports: Pick<Ports, "database" | "personalDataKeys" | "ids">,
  call: OperationCall,
  { act, version, note }: Proposing,
): Promise<Proposal> {
  const { platformId } = call;
  const keys = await ports.personalDataKeys();
  const proposalId = ports.ids.proposalId();
  const reader = { personId: call.person?.personId ?? null, kinds: [act.kind] };
  const stored = await ports.database.asPlatform<ProposalRow>(platformId, async (tx) => {
    const subject = await findSubject(tx, platformId, act);
    const row = { proposalId, platformId, kind: act.kind, ...subject };
    // Other proposals about the user, and an erasure, wait for this transaction.
    const user = requireRow(await lockUser(tx, row), "user");
    refuseErased(user, act, note);
    if (act.kind === "relink") await refuseTaken(tx, keys, platformId, act);
    const { seen, isOpen } = await readVersion(tx, row);
    if (version !== undefined && version !== seen) {
      throw conflict("changed", "What you saw has changed. Read it again.", ["version"]);
    }
    if (isOpen) throw conflict("proposed", "The same act is already proposed. Confirm or withdraw it.");
    const inserted = tx
      .insert(newProposals)
      .values({
        id: proposalId,
        platformId,
        userId: subject.externalUserId,
        recordId: subject.kycRecordId,
        holdId: subject.holdId,
        kind: act.kind,
        actor: actorOf(call),
        proposer: reader.personId,
        seen,
        evidenceHash: act.kind === "approve" ? act.evidenceHash : null,
        encrypted: encryptPayload(payloadOf(act, note), row, user, keys.ring),
      })
      .execute();
    const found = tx
      .select(proposalFields(reader))
      .from(proposals)
      .innerJoin(platforms, eq(platforms.id, proposals.platformId))
      .where(and(eq(proposals.platformId, platformId), eq(proposals.id, proposalId)));
    const audited = audit(tx, call, proposalId);
    return pipelineCommit([inserted, audited, found], ([, , rows]) => requireRow(rows, "proposal"));
  });
  return requireRow(await toProposals(ports, [stored], reader), "proposal");
}

/** What a proposal is about. */
interface Subject {
  externalUserId: string;
  kycRecordId: string | null;
  holdId: string | null;
}

/**
 * The subject of an act.
 * @throws Failure KYC_RECORD_NOT_FOUND, USER_NOT_FOUND, HOLD_NOT_FOUND; PROPOSAL_CONFLICT if the act cannot change it.
 */
async function findSubject(tx: Tx, platformId: string, act: ProposedAct): Promise<Subject> {
  if (act.kind === "approve") return recordToApprove(tx, platformId, act.kycRecordId);
  if (act.kind === "liftHold") return holdToLift(tx, platformId, act.holdId);
  const { externalUserId } = act;
  const found = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.platformId, platformId), eq(users.id, externalUserId)));
  if (found.length === 0) throw new Failure("USER_NOT_FOUND");
  return { externalUserId, kycRecordId: null, holdId: null };
}

async function recordToApprove(tx: Tx, platformId: string, kycRecordId: string): Promise<Subject> {
  const [record] = await tx
    .select({ externalUserId: kycRecords.userId, resolution: kycRecords.resolution })
    .from(kycRecords)
    .where(and(eq(kycRecords.platformId, platformId), eq(kycRecords.id, kycRecordId)));
  if (!record) throw new Failure("KYC_RECORD_NOT_FOUND");
  const { externalUserId, resolution } = record;
  if (resolution === "unresolved") return { externalUserId, kycRecordId, holdId: null };
  throw conflict("over", "The record is resolved. Only unresolved records can be resolved manually.");
}

async function holdToLift(tx: Tx, platformId: string, holdId: string): Promise<Subject> {
  const [hold] = await tx
    .select({
      externalUserId: holds.userId,
      kycRecordId: holds.recordId,
      isActive: sql<boolean>`${holds.liftedAt} is null and coalesce(${holds.until} > clock_timestamp(), true)`,
    })
    .from(holds)
    .where(and(eq(holds.platformId, platformId), eq(holds.id, holdId)));
  if (!hold) throw new Failure("HOLD_NOT_FOUND");
  const { isActive, ...subject } = hold;
  if (isActive) return { ...subject, holdId };
  throw conflict("over", "The hold has ended already.");
}

function conflict(rule: string, message: string, path: string[] = []): Failure {
  return new Failure("PROPOSAL_CONFLICT", { violations: [{ path, rule, message }] });
}

function lockUser(tx: Tx, { platformId, externalUserId }: ProposalRef) {
  return tx
    .select({
      dataKey: users.dataKey,
      keyVersion: users.keyVersion,
      eraseRequestedAt: users.eraseRequestedAt,
    })
    .from(users)
    .where(and(eq(users.platformId, platformId), eq(users.id, externalUserId)))
    .for("no key update");
}

/** An erased user has neither identifiers nor a data key, but a hold of what remains can be lifted. */
function refuseErased(
  { dataKey, eraseRequestedAt }: { dataKey: Buffer | null; eraseRequestedAt: Date | null },
  act: ProposedAct,
  note: string | undefined,
): void {
  if (act.kind === "erase" && dataKey !== null && eraseRequestedAt !== null) {
    throw conflict("requested", "The erasure of the user is requested already.");
  }
  if (dataKey !== null) return;
  if (act.kind !== "liftHold") throw new Failure("USER_NOT_FOUND");
  if (note !== undefined)
    throw conflict("erased", "The user is erased, so no note can be stored. Omit it.", ["note"]);
}

/** @throws Failure USER_IDENTITY_CONFLICT if another user has one of the identifiers now. */
async function refuseTaken(
  tx: Tx,
  keys: PersonalDataKeys,
  platformId: string,
  { externalUserId, names: { email, memberId } }: Extract<ProposedAct, { kind: "relink" }>,
): Promise<void> {
  const taken = await tx
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        eq(users.platformId, platformId),
        ne(users.id, externalUserId),
        or(
          email === undefined ? undefined : eq(users.emailIndex, blindIndex(keys, platformId, { email })),
          memberId === undefined
            ? undefined
            : eq(users.memberIdIndex, blindIndex(keys, platformId, { memberId })),
        ),
      ),
    );
  if (taken.length === 0) return;
  throw new Failure("USER_IDENTITY_CONFLICT", { subject: externalUserId });
}

/** The current version of the subject, and whether an equal proposal is open. */
async function readVersion(tx: Tx, row: Subject & Pick<ProposalRef, "platformId" | "kind">) {
  const { platformId, kind, externalUserId, kycRecordId, holdId } = row;
  const same = sql`(${proposals.platformId}, ${proposals.userId}, ${proposals.kind}) = (${platformId}, ${externalUserId}, ${kind})
    and (${kind} <> 'approve' or ${proposals.recordId} = ${kycRecordId}) and ${proposals.holdId} is not distinct from ${holdId}`;
  const { rows } = await tx.execute<{ seen: string; is_open: boolean }>(sql`
    select proposal_version(${kind}, ${platformId}, ${externalUserId}, ${kycRecordId}, ${holdId}) as seen,
      exists (select from ${proposals} where ${same} and ${maybeOpen} and ${proposalState} = 'open') as is_open`);
  const { seen, is_open: isOpen } = requireRow(rows, "version");
  return { seen, isOpen };
}
