export type { Cards } from "./cards.ts";
export { type Client, type ClientOptions, createClient } from "./create-client.ts";
export {
  AbortedError,
  CardbridgeError,
  ConnectionError,
  ProblemError,
  ResponseError,
  TimeoutError,
} from "./errors.ts";
export type { FileSource } from "./file-source.ts";
export type { Files, UploadOptions } from "./files.ts";
export type { Kyc } from "./kyc.ts";
export type {
  KycActionRequired,
  KycApproved,
  KycConflict,
  KycDecision,
  KycNotApproved,
} from "./kyc-decision.ts";
export type { CallOptions, SubmitOptions, UploadProgress } from "./options.ts";
export { type ResponseInfo, responseInfo } from "./response-info.ts";
export type { Runtime } from "./runtime.ts";
export type { Sandbox } from "./sandbox.ts";
export type {
  Card,
  CardId,
  CardListQuery,
  CardPage,
  DocumentRequest,
  DocumentRequestAnswer,
  EmailChange,
  FileUpload,
  KycDraft,
  KycHistory,
  KycLookup,
  KycReading,
  KycReason,
  KycRecordId,
  KycRequirements,
  KycRequirementsQuery,
  KycResult,
  KycSubmission,
  KycValidation,
  NewWebhookEndpoint,
  Problem,
  RedeliveredWebhooks,
  SandboxAct,
  SandboxActResult,
  UploadedFile,
  UserId,
  WebhookDelivery,
  WebhookDeliveryDetails,
  WebhookDeliveryId,
  WebhookDeliveryListQuery,
  WebhookDeliveryPage,
  WebhookEndpoint,
  WebhookEndpointChange,
  WebhookEndpointId,
  WebhookEndpointList,
  WebhookEndpointWithSecret,
  WebhookRedelivery,
  WebhookSecretRotation,
} from "./types.ts";
export type { Users } from "./users.ts";
export {
  type VerifyOptions,
  verifyWebhook,
  type WebhookHeaders,
  WebhookVerificationError,
} from "./verify-webhook.ts";
export type { WaitOptions } from "./wait-for-decision.ts";
export type { UnknownWebhookEvent, WebhookEvent } from "./webhook-events.ts";
export type { Webhooks } from "./webhooks.ts";
