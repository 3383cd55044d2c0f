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
  providerSteps,
  users,
} from "./schema.ts";

/** Every table of the service. */
export const tables = {
  platforms,
  apiKeys,
  users,
  kycRecords,
  kycHistory,
  providerSteps,
  files,
  fileUsage,
  idempotencyKeys,
  knownEncryptionKeys,
  auditEntries,
  auditSeals,
};
