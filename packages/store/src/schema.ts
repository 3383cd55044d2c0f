export * from "./schema/api-keys.ts";
export * from "./schema/audit.ts";
export * from "./schema/encryption-keys.ts";
export * from "./schema/files.ts";
export * from "./schema/idempotency-keys.ts";
export * from "./schema/kyc-records.ts";
export * from "./schema/platforms.ts";
export * from "./schema/users.ts";
