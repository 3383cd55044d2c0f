export { auditMonths } from "./audit/drop-month.ts";
export { auditRepository } from "./audit/repository.ts";
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
export { encryptionKeysRepository } from "./encryption-keys/repository.ts";
export { evidenceRepository } from "./evidence/repository.ts";
export { filesRepository } from "./files/repository.ts";
export { keyAdmin } from "./keys/admin.ts";
export { apiKeysRepository } from "./keys/find.ts";
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
export { countProcesses, type ProcessCount, processesRepository } from "./processes/repository.ts";
export { restoresRepository } from "./restores/repository.ts";
export { lastRestoreCheck } from "./restores/restored.ts";
export { userLookup } from "./users/lookup.ts";
export { putUser, type UserDetails } from "./users/put.ts";
export { webhookDeliveriesRepository, webhookEndpointsRepository } from "./webhooks/repository.ts";
export { webhookSearch } from "./webhooks/search.ts";
