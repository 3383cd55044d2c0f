import { randomUUID } from "node:crypto";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { Problem } from "../../common/problem.js";
import { compare, type KycRecord, stateOf, type Verdict } from "../../common/record.js";
import type { Claim, Records } from "../../common/submit.js";
import { AuditEntity, KycHistoryEntity, KycRecordEntity, UserEntity } from "../database/entities.js";

type User = Pick<UserEntity, "id" | "externalUserId">;

/** Records by TypeORM. */
@Injectable()
export class RecordsService implements Records {
  constructor(private readonly database: DataSource) {}

  claim(claim: Claim): Promise<{ record: KycRecord; replayed: boolean }> {
    return this.database.transaction(async (manager) => {
      const user = await findOrCreateUser(manager, claim);
      const newest = { where: { userId: user.id }, order: { createdAt: "DESC" } } as const;
      const latest = await manager.findOne(KycRecordEntity, newest);
      const { externalUserId } = user;
      if (latest && compare({ ...latest, externalUserId }, claim.fingerprint) === "replay") {
        return { record: { ...latest, externalUserId }, replayed: true };
      }
      return { record: await insert(manager, user, claim), replayed: false };
    });
  }

  settle(record: KycRecord, verdict: Verdict): Promise<KycRecord> {
    return this.database.transaction(async (manager) => {
      const state = stateOf(verdict);
      const { kycRecordId } = record;
      const { affected } = await manager.update(
        KycRecordEntity,
        { kycRecordId, settlement: "unsettled" },
        state,
      );
      if (affected === 0) return record;
      const { status, subStatus } = state;
      await manager.insert(KycHistoryEntity, {
        recordId: kycRecordId,
        status,
        subStatus,
        source: "provider",
      });
      return { ...record, ...state };
    });
  }
}

async function findOrCreateUser(manager: EntityManager, claim: Claim): Promise<User> {
  const { platformId, memberId, email } = claim;
  const externalUserId = `usr_${randomUUID()}`;
  const insertion = manager.createQueryBuilder().insert().into(UserEntity).orIgnore();
  const made = await insertion.values({ platformId, memberId, email, externalUserId }).execute();
  if (made.raw.length > 0) return { id: made.raw[0].id, externalUserId };
  const user = await manager.findOne(UserEntity, {
    where: [
      { platformId, memberId },
      { platformId, email },
    ],
    lock: { mode: "pessimistic_write" },
  });
  if (user?.memberId !== memberId || user.email !== email) throw new Problem("USER_IDENTITY_CONFLICT");
  return user;
}

async function insert(manager: EntityManager, user: User, claim: Claim): Promise<KycRecord> {
  const kycRecordId = `kyc_${randomUUID()}`;
  const { platformId, requestId, fingerprint, sealed } = claim;
  const state = stateOf({ settlement: "unsettled" });
  await manager.insert(KycRecordEntity, { kycRecordId, userId: user.id, fingerprint, sealed, ...state });
  await manager.insert(KycHistoryEntity, { recordId: kycRecordId, source: "submission" });
  const act = { platformId, actor: platformId, act: "kyc.submit" };
  await manager.insert(AuditEntity, { ...act, subject: kycRecordId, requestId });
  return { kycRecordId, externalUserId: user.externalUserId, ...state };
}
