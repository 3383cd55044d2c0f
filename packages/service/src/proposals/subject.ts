import { Failure } from "@cardbridge/domain";
import { and, eq, sql } from "drizzle-orm";
import { holds, kycRecords, users } from "../database/schema.ts";
import type { Tx } from "../database/statements.ts";
import type { ProposedAct } from "./acts.ts";

/** What a proposal is about. */
export interface Subject {
  externalUserId: string;
  kycRecordId: string | null;
  holdId: string | null;
}

/**
 * The subject of an act.
 * @throws Failure KYC_RECORD_NOT_FOUND, USER_NOT_FOUND, HOLD_NOT_FOUND; PROPOSAL_CONFLICT if the act cannot change it.
 */
export async function findSubject(tx: Tx, platformId: string, act: ProposedAct): Promise<Subject> {
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

export function conflict(rule: string, message: string, path: string[] = []): Failure {
  return new Failure("PROPOSAL_CONFLICT", { violations: [{ path, rule, message }] });
}
