import { sql } from "drizzle-orm";

const { placeholder } = sql;

/** The state of a submission, in its record and in its history rows. */
const state = {
  resolution: placeholder("resolution"),
  status: placeholder("status"),
  subStatus: placeholder("subStatus"),
  cardAccountId: placeholder("cardAccountId"),
  revision: placeholder("revision"),
};

const leaseEnd = sql`clock_timestamp() + ${placeholder("lease")}::interval`;

/* The rows that a submission inserts; each value is the placeholder of a prepared statement. */

export const userRow = {
  id: placeholder("externalUserId"),
  platformId: placeholder("platformId"),
  memberIdIndex: placeholder("memberIdIndex"),
  emailIndex: placeholder("emailIndex"),
  encrypted: placeholder("encrypted"),
  dataKey: placeholder("dataKey"),
  keyVersion: placeholder("keyVersion"),
  imported: sql`false`,
};

export const recordRow = {
  id: placeholder("kycRecordId"),
  platformId: placeholder("platformId"),
  userId: placeholder("externalUserId"),
  encrypted: placeholder("encryptedSubmission"),
  fingerprint: placeholder("fingerprint"),
  renews: placeholder("renews"),
  documentExpiry: placeholder("documentExpiry"),
  // drizzle cannot map a placeholder of a timestamp that may be null.
  documentCheckAt: sql`${placeholder("checkAt")}::timestamptz`,
  ...state,
  attempt: 1,
  leaseUntil: leaseEnd,
  // Without a lease, the record is due at once.
  dueAt: sql`coalesce(${leaseEnd}, clock_timestamp())`,
};

export const historyRow = {
  platformId: placeholder("platformId"),
  recordId: placeholder("kycRecordId"),
  source: placeholder("source"),
  ...state,
};

/** A later state of a submission. Only later states have reasons. */
export const changeRow = {
  ...historyRow,
  explanation: placeholder("explanation"),
  restrictedReasons: placeholder("restrictedReasons"),
  actor: placeholder("actor"),
};

export const keyRow = {
  platformId: placeholder("platformId"),
  operation: placeholder("operation"),
  keyHash: placeholder("keyHash"),
  fingerprint: placeholder("fingerprint"),
  recordId: placeholder("kycRecordId"),
};
