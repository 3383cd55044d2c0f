import {
  type Attempt,
  type AuditAct,
  type AuditOutcome,
  internalPlatformId,
  type KycHistoryEntry,
  type KycState,
  type Scope,
} from "@cardbridge/domain";
import { desc, sql } from "drizzle-orm";
import {
  bigint,
  check,
  foreignKey,
  index,
  integer,
  pgPolicy,
  pgTable,
  primaryKey,
  text,
  unique,
} from "drizzle-orm/pg-core";
import { bytea, milliseconds, moment, ofPlatform, ofTask } from "./columns.ts";

/** audit_unsealed runs as the tables' owner, over all platforms, and says so while it runs. */
const ownerSealsAudit = () =>
  pgPolicy("owner_seals_audit", {
    for: "select",
    to: "current_user",
    using: sql`current_setting('cardbridge.task', true) = 'seal_audit'`,
  });

export const platforms = pgTable(
  "platforms",
  {
    id: text("id").primaryKey(),
    name: text("name").notNull(),
    createdAt: moment("created_at").notNull().defaultNow(),
  },
  (table) => [
    ofPlatform(table.id),
    check("platforms_id_given", sql`${table.id} <> ''`),
    // list_platforms runs as the tables' owner, over all platforms, and says so while it runs.
    pgPolicy("owner_lists_platforms", {
      for: "select",
      to: "current_user",
      using: sql`current_setting('cardbridge.task', true) = 'list_platforms'`,
    }),
    ownerSealsAudit(),
  ],
);

/** What is said of a key by whoever makes it: the service's role may write these columns and no others. */
export const keyColumns = () => ({
  id: text("id").primaryKey(),
  platformId: text("platform_id")
    .notNull()
    .references(() => platforms.id),
  name: text("name").notNull(),
  /** The visible start of the key, to recognise it by. */
  prefix: text("prefix").notNull(),
  /** SHA-256 of the key; the key itself is nowhere. */
  hash: bytea("hash").notNull().unique(),
  scopes: text("scopes").array().$type<Scope[]>().notNull(),
  expiresAt: moment("expires_at"),
});

export const apiKeys = pgTable(
  "api_keys",
  {
    ...keyColumns(),
    revokedAt: moment("revoked_at"),
    createdAt: moment("created_at").notNull().defaultNow(),
    /** To the minute. */
    lastUsedAt: moment("last_used_at"),
  },
  (table) => [
    ofPlatform(table.platformId),
    check(
      "api_keys_admin_is_internal",
      sql`${table.platformId} = ${sql.raw(`'${internalPlatformId}'`)} or not ('admin' = any(${table.scopes}))`,
    ),
    // use_api_key, platform_of_key and list_api_keys run as the tables' owner, before a platform is known.
    pgPolicy("owner_finds_keys", { for: "select", to: "current_user", using: sql`true` }),
    pgPolicy("owner_uses_keys", {
      for: "update",
      to: "current_user",
      using: sql`current_setting('cardbridge.task', true) = 'use_api_key'`,
    }),
  ],
);

export const users = pgTable(
  "users",
  {
    /** The externalUserId, unique across platforms: the card provider knows the user by it. */
    id: text("id").primaryKey(),
    platformId: text("platform_id")
      .notNull()
      .references(() => platforms.id),
    /** What the user is found by; see blindIndex. */
    memberIdIndex: bytea("member_id_index"),
    emailIndex: bytea("email_index"),
    /** The member id and the e-mail as they were given, under the user's data key. */
    sealed: bytea("sealed"),
    /** The user's data key, wrapped under this version of the key ring. */
    dataKey: bytea("data_key"),
    keyVersion: integer("key_version"),
    createdAt: moment("created_at").notNull().defaultNow(),
    eraseRequestedAt: moment("erase_requested_at"),
    /** From then on only the id is left. */
    erasedAt: moment("erased_at"),
  },
  (table) => [
    ofPlatform(table.platformId),
    unique("users_member").on(table.platformId, table.memberIdIndex),
    unique("users_email").on(table.platformId, table.emailIndex),
    unique("users_of_platform").on(table.platformId, table.id),
    index("users_key_version").on(table.keyVersion).where(sql`${table.keyVersion} is not null`),
    index("users_to_erase")
      .on(table.eraseRequestedAt)
      .where(sql`${table.eraseRequestedAt} is not null and ${table.erasedAt} is null`),
    index("users_to_expire").on(table.createdAt).where(sql`${table.eraseRequestedAt} is null`),
    check(
      "users_whole_until_erased",
      sql`num_nonnulls(member_id_index, email_index, sealed, data_key, key_version) = case when erased_at is null then 5 else 0 end`,
    ),
    ofTask("check_keys"),
    ofTask("rewrap"),
    ofTask("erase"),
  ],
);

/** The columns of what is known of a submission: of a record now, of a history row then. */
const state = () => ({
  settlement: text("settlement").$type<KycState["settlement"]>().notNull(),
  status: text("status").$type<KycState["status"]>(),
  subStatus: text("sub_status"),
  cardAccountId: text("card_account_id"),
  // A provider may count its decisions in milliseconds.
  revision: bigint("revision", { mode: "number" }),
});

export const kycRecords = pgTable(
  "kyc_records",
  {
    id: text("id").primaryKey(),
    platformId: text("platform_id").notNull(),
    userId: text("user_id").notNull(),
    /** The submission, under the user's data key; null once the user is erased. */
    sealed: bytea("sealed"),
    /** A keyed hash of the submission: equal bodies have equal fingerprints. Goes with it. */
    fingerprint: bytea("fingerprint"),
    ...state(),
    /** The attempt that may store an answer; from 1. */
    attempt: integer("attempt").notNull(),
    /** How the next attempt begins, and how often in a row the provider did not know the reference. */
    step: text("step").$type<Attempt["step"]>().notNull().default("send"),
    notFound: integer("not_found").notNull().default(0),
    /** Until when the attempt under way is alone with the record; null while none is. */
    leaseUntil: moment("lease_until"),
    /** When the record has to be looked at; null once the provider has decided, or while it is held. */
    dueAt: moment("due_at"),
    /** Since when it waits for people: it could not be settled in time. */
    heldAt: moment("held_at"),
    // Not the transaction's start: a claim that waited for another is the newer one.
    createdAt: moment("created_at").notNull().default(sql`clock_timestamp()`),
    answeredAt: moment("answered_at"),
  },
  (table) => [
    ofPlatform(table.platformId),
    foreignKey({
      name: "kyc_records_user",
      columns: [table.platformId, table.userId],
      foreignColumns: [users.platformId, users.id],
    }),
    unique("kyc_records_of_platform").on(table.platformId, table.id),
    // Without the platform, which a user tells: no other look-up can take it for a list of the platform's records.
    index("kyc_records_latest").on(table.userId, desc(table.createdAt)),
    // Unsettled records come first.
    index("kyc_records_due").on(desc(table.settlement), table.dueAt).where(sql`${table.dueAt} is not null`),
    // With the one above: what waits is found without reading what is decided.
    index("kyc_records_held").on(table.heldAt).where(sql`${table.heldAt} is not null`),
    check(
      "kyc_records_due_while_unsettled",
      sql`settlement <> 'unsettled' or due_at is not null or held_at is not null`,
    ),
    check("kyc_records_whole_until_erased", sql`num_nonnulls(sealed, fingerprint) in (0, 2)`),
    ofTask("erase"),
    // take_due runs as the tables' owner, over all platforms, and says so while it runs.
    pgPolicy("owner_takes_due", {
      for: "all",
      to: "current_user",
      using: sql`current_setting('cardbridge.task', true) in ('take_due', 'look')`,
    }),
  ],
);

/** What was learned about a record, and when. Rows are only ever added. */
export const kycHistory = pgTable(
  "kyc_history",
  {
    id: bigint("id", { mode: "bigint" }).primaryKey().generatedAlwaysAsIdentity(),
    platformId: text("platform_id").notNull(),
    recordId: text("record_id").notNull(),
    source: text("source").$type<KycHistoryEntry["source"]>().notNull(),
    ...state(),
    observedAt: moment("observed_at").notNull().default(sql`clock_timestamp()`),
  },
  (table) => [
    ofPlatform(table.platformId),
    foreignKey({
      name: "kyc_history_record",
      columns: [table.platformId, table.recordId],
      foreignColumns: [kycRecords.platformId, kycRecords.id],
    }),
    index("kyc_history_of_record").on(table.platformId, table.recordId, table.id),
  ],
);

/** Which record a caller's Idempotency-Key stands for (gap G20). */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    platformId: text("platform_id")
      .notNull()
      .references(() => platforms.id),
    operation: text("operation").notNull(),
    /** A keyed hash: what callers put into a key is theirs. */
    keyHash: bytea("key_hash").notNull(),
    /** Of the body that the key came with first. */
    fingerprint: bytea("fingerprint").notNull(),
    // No foreign key: the key is written before its record, in the same transaction.
    recordId: text("record_id").notNull(),
    createdAt: moment("created_at").notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.platformId, table.operation, table.keyHash] }),
    ofPlatform(table.platformId),
    index("idempotency_keys_age").on(table.createdAt),
    index("idempotency_keys_of_record").on(table.platformId, table.recordId),
    ofTask("erase"),
    // forget_keys runs as the tables' owner, over all platforms, and says so while it runs.
    pgPolicy("owner_forgets_keys", {
      for: "all",
      to: "current_user",
      using: sql`current_setting('cardbridge.task', true) = 'forget_keys'`,
    }),
  ],
);

/** Which keys this database was used with, so that wrong ones are refused; see check_keys. */
export const knownKeys = pgTable(
  "known_keys",
  {
    name: text("name").primaryKey(),
    /** The version in the key ring; null for the fingerprint key. */
    ringVersion: integer("ring_version"),
    /** Derived one way from the key, which it says nothing of. */
    checkValue: text("check_value").notNull(),
    createdAt: moment("created_at").notNull().defaultNow(),
  },
  () => [ofTask("check_keys")],
);

/** What is said of an act by whoever notes it: the service's role may write these columns and no others. */
export const noted = () => ({
  // No foreign key: every submission of a platform would lock its one row.
  platformId: text("platform_id").notNull(),
  actor: text("actor").notNull(),
  act: text("act").$type<AuditAct>().notNull(),
  subject: text("subject"),
  outcome: text("outcome").$type<AuditOutcome>().notNull(),
  requestId: text("request_id"),
  address: text("address"),
});

/** Who did what, when and from where. Rows are only ever added. */
export const auditEntries = pgTable(
  "audit_entries",
  {
    id: bigint("id", { mode: "bigint" }).notNull().generatedAlwaysAsIdentity(),
    ...noted(),
    at: milliseconds("at").notNull().default(sql`clock_timestamp()`),
    /** The transaction that wrote it: entries are sealed in the order of these, once all older ones have ended. */
    txid: bigint("txid", { mode: "bigint" }).notNull().default(sql`audit_txid(pg_current_xact_id())`),
  },
  (table) => [
    primaryKey({ columns: [table.platformId, table.txid, table.id] }),
    ofPlatform(table.platformId),
    ownerSealsAudit(),
  ],
);

/** The chain over a platform's entries. Rows are only ever added. */
export const auditSeals = pgTable(
  "audit_seals",
  {
    platformId: text("platform_id").notNull(),
    /** From 1, without gaps. */
    number: integer("number").notNull(),
    /** The first entry that it covers, and the last. */
    firstTxid: bigint("first_txid", { mode: "bigint" }).notNull(),
    firstId: bigint("first_id", { mode: "bigint" }).notNull(),
    lastTxid: bigint("last_txid", { mode: "bigint" }).notNull(),
    lastId: bigint("last_id", { mode: "bigint" }).notNull(),
    count: integer("count").notNull(),
    /** HMAC over the entries. */
    digest: bytea("digest").notNull(),
    previousHash: bytea("previous_hash").notNull(),
    /** HMAC over all else of this row. */
    hash: bytea("hash").notNull(),
    sealedAt: milliseconds("sealed_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.platformId, table.number] }),
    ofPlatform(table.platformId),
    ownerSealsAudit(),
  ],
);
