import { files } from "./files/schema.ts";
import {
  apiKeys,
  auditEntries,
  auditSeals,
  idempotencyKeys,
  knownKeys,
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
  idempotencyKeys,
  auditEntries,
  auditSeals,
  knownKeys,
  files,
};
