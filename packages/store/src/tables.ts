import {
  apiKeys,
  auditEntries,
  auditSeals,
  files,
  fileUsage,
  idempotencyKeys,
  knownEncryptionKeys,
  kycHistory,
  kycRecords,
  platforms,
  users,
} from "./schema.ts";

/** Every table of the service. */
export const tables = {
  platforms,
  apiKeys,
  users,
  kycRecords,
  kycHistory,
  files,
  fileUsage,
  idempotencyKeys,
  knownEncryptionKeys,
  auditEntries,
  auditSeals,
};
