export type { AppRouter, Problem, RouterInputs, RouterOutputs } from "./app-router.ts";
export type { Client, MutationOptions, QueryOptions, SubscriptionOptions } from "./client.ts";
export { type ClientOptions, createClient } from "./create-client.ts";
export type {
  ApiKey,
  AuditEntry,
  AuditVerification,
  Card,
  CardPage,
  CreatedApiKey,
  EncryptionKeyVersion,
  ImportedUsers,
  KycChange,
  KycChangePage,
  KycHistory,
  KycHistoryEntry,
  KycReason,
  KycRequirements,
  KycResult,
  KycValidation,
  ListedPlatform,
  Platform,
  RecordAttempt,
  RecordDetails,
  RecordSummary,
  RedeliveredWebhooks,
  ResolvedRecord,
  RewrappedKeys,
  RotatedApiKey,
  UploadAddress,
  UserDetails,
  WebhookDelivery,
  WebhookDeliveryDetails,
  WebhookDeliveryPage,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
} from "./outputs.ts";
export { problemOf } from "./problem-of.ts";
export { type ResponseInfo, responseInfo } from "./response-info.ts";
