export { apiKeysRepository } from "./api-keys.ts";
export { type Database, type DatabaseHealth, type DatabaseOptions, openDatabase } from "./database.ts";
export { SafeDatabaseError, safeDatabaseError } from "./failures.ts";
export { kycDesk } from "./kyc/desk.ts";
export { kycRecordsRepository } from "./kyc/index.ts";
export { migrate, pendingMigrations } from "./migrate.ts";
export { type ApiKeyDetails, putApiKey, putPlatform, putUser, type UserDetails } from "./platforms.ts";
export { type Work, withCommit } from "./transaction.ts";
export { usersRepository } from "./users.ts";
