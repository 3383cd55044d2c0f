export { tableChanges } from "./database/change-tables.ts";
export {
  type Database,
  type DatabaseHealth,
  type DatabaseOptions,
  openDatabase,
} from "./database/database.ts";
export type { Durability } from "./database/durability.ts";
export { claimEnvironment, readEnvironment } from "./database/environment.ts";
export { SafeDatabaseError } from "./database/errors.ts";
export { safeDatabaseError } from "./database/failures.ts";
export { createLookupCache, type LookupCache, noLookupCache } from "./database/lookup-cache.ts";
export { migrate, pendingMigrations } from "./database/migrate.ts";
export { outdatedDatabase } from "./database/migration-status.ts";
export { MigrationRefused } from "./database/migration-transaction.ts";
export { pipelineCommit, type Work } from "./database/statements.ts";
export { setTimeLimits } from "./database/time-limits.ts";
export type { FailPoint } from "./database/transaction.ts";
export { type KeyRing, parseKeyRing } from "./encryption/key-ring.ts";
export { deriveKeys, type KeySet } from "./encryption/keys.ts";
export { WrongKeys } from "./encryption/known-keys.ts";
export { createVerifiedKeys, keyProblems, type VerifiedKeys } from "./encryption/verified-keys.ts";
export { filesRepository } from "./files/repository.ts";
export { findApiKey, isLiveKey } from "./keys/find.ts";
export { type ApiKeyDetails, putApiKey } from "./keys/put.ts";
export { kycRecordsRepository } from "./kyc/repository.ts";
export { providerIds } from "./kyc/steps.ts";
export { readCurrentPauses } from "./pauses/current.ts";
export { identifyPersons } from "./persons/identify.ts";
export { putPlatform } from "./platforms/put.ts";
export {
  type OtherStore,
  type ProcessDetails,
  registerProcess,
  removeProcess,
  renewProcess,
} from "./processes/heartbeat.ts";
export { countProcesses, type ProcessCount } from "./processes/list.ts";
export { userLookup } from "./users/lookup.ts";
export { putUser, type UserDetails } from "./users/put.ts";
export { webhookDeliveriesRepository } from "./webhooks/repository.ts";
