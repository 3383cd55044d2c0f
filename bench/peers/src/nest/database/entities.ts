import { Column, CreateDateColumn, Entity, PrimaryColumn, PrimaryGeneratedColumn } from "typeorm";
import type { KycRecord } from "../../common/record.js";

/* The tables of common/tables.ts. */
export const schema = "peer_nest";

@Entity("api_keys")
export class ApiKeyEntity {
  @PrimaryColumn("bytea")
  hash: Buffer;

  @Column("text", { name: "platform_id" })
  platformId: string;

  @Column("text", { array: true })
  scopes: string[];

  @Column("timestamptz", { name: "revoked_at", nullable: true })
  revokedAt: Date | null;
}

@Entity("users")
export class UserEntity {
  @PrimaryGeneratedColumn("identity", { type: "bigint", generatedIdentity: "ALWAYS" })
  id: string;

  @Column("text", { name: "platform_id" })
  platformId: string;

  @Column("text", { name: "member_id" })
  memberId: string;

  @Column("text")
  email: string;

  @Column("text", { name: "external_user_id" })
  externalUserId: string;
}

@Entity("kyc_records")
export class KycRecordEntity {
  @PrimaryColumn("text", { name: "id" })
  kycRecordId: string;

  @Column("bigint", { name: "user_id" })
  userId: string;

  @Column("bytea")
  fingerprint: Buffer;

  @Column("bytea")
  sealed: Buffer;

  @Column("text")
  settlement: KycRecord["settlement"];

  @Column("text", { nullable: true })
  status: string | null;

  @Column("text", { name: "sub_status", nullable: true })
  subStatus: string | null;

  @Column("text", { name: "card_account_id", nullable: true })
  cardAccountId: string | null;

  @CreateDateColumn({ name: "created_at", type: "timestamptz" })
  createdAt: Date;
}

@Entity("kyc_history")
export class KycHistoryEntity {
  @PrimaryGeneratedColumn("identity", { type: "bigint", generatedIdentity: "ALWAYS" })
  id: string;

  @Column("text", { name: "record_id" })
  recordId: string;

  @Column("text", { nullable: true })
  status: string | null;

  @Column("text", { name: "sub_status", nullable: true })
  subStatus: string | null;

  @Column("text")
  source: string;
}

@Entity("audit")
export class AuditEntity {
  @PrimaryGeneratedColumn("identity", { type: "bigint", generatedIdentity: "ALWAYS" })
  id: string;

  @Column("text", { name: "platform_id" })
  platformId: string;

  @Column("text")
  actor: string;

  @Column("text")
  act: string;

  @Column("text")
  subject: string;

  @Column("text", { name: "request_id" })
  requestId: string;
}

export const entities = [ApiKeyEntity, UserEntity, KycRecordEntity, KycHistoryEntity, AuditEntity];
