import { sql } from "drizzle-orm";

const given = sql.placeholder;

/** What is known of a submission, in a record and in a row of its history. */
const state = {
  settlement: given("settlement"),
  status: given("status"),
  subStatus: given("subStatus"),
  cardAccountId: given("cardAccountId"),
  revision: given("revision"),
};

const leaseEnd = sql`clock_timestamp() + ${given("lease")}::interval`;

/* The rows that a claim writes, by the names under which their values are given. */

export const userRow = {
  id: given("externalUserId"),
  platformId: given("platformId"),
  memberIdIndex: given("memberIdIndex"),
  emailIndex: given("emailIndex"),
  sealed: given("sealed"),
  dataKey: given("dataKey"),
  keyVersion: given("keyVersion"),
};

export const recordRow = {
  id: given("kycRecordId"),
  platformId: given("platformId"),
  userId: given("externalUserId"),
  sealed: given("sealedSubmission"),
  fingerprint: given("fingerprint"),
  ...state,
  attempt: 1,
  leaseUntil: leaseEnd,
  dueAt: leaseEnd,
};

export const historyRow = {
  platformId: given("platformId"),
  recordId: given("kycRecordId"),
  source: given("source"),
  ...state,
};

export const keyRow = {
  platformId: given("platformId"),
  operation: given("operation"),
  keyHash: given("keyHash"),
  fingerprint: given("fingerprint"),
  recordId: given("kycRecordId"),
};
