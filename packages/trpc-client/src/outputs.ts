import type { RouterOutputs } from "./app-router.ts";

/** A payment card. */
export type Card = RouterOutputs["cards"]["list"]["items"][number];
/** One page of cards, newest first. */
export type CardPage = RouterOutputs["cards"]["list"];

/** The result of a KYC submission. */
export type KycResult = RouterOutputs["kyc"]["submit"];
/** Why the provider refused or rejected a submission, and what to correct. */
export type KycReason = NonNullable<KycResult["reasons"]>[number];
/** The result that a submission would have now, with its violations. */
export type KycValidation = RouterOutputs["kyc"]["validate"];
/** The requirements of a submission of a user. */
export type KycRequirements = RouterOutputs["kyc"]["requirements"];
/** A KYC record with its history, oldest first. */
export type KycHistory = RouterOutputs["kyc"]["history"];
/** One change in the history of a KYC record. */
export type KycHistoryEntry = KycHistory["history"][number];
/** The KYC changes of a platform after a position. */
export type KycChangePage = RouterOutputs["kyc"]["listChanges"];
/** A change of a KYC record, with its position. */
export type KycChange = KycChangePage["changes"][number];

/** A short-lived URL that accepts an upload without a key. */
export type UploadAddress = RouterOutputs["files"]["createUploadUrl"];

/** A webhook endpoint without its secret. */
export type WebhookEndpoint = RouterOutputs["webhooks"]["get"];
/** A webhook endpoint with its secret, which is shown only once. */
export type WebhookEndpointWithSecret = RouterOutputs["webhooks"]["create"];
/** One page of deliveries, newest first. */
export type WebhookDeliveryPage = RouterOutputs["webhooks"]["deliveries"];
/** The delivery of one event to one endpoint. */
export type WebhookDelivery = RouterOutputs["webhooks"]["redeliver"];
/** A delivery with its last attempts, oldest first. */
export type WebhookDeliveryDetails = RouterOutputs["webhooks"]["delivery"];
/** The number of deliveries that are sent again, and whether more remain. */
export type RedeliveredWebhooks = RouterOutputs["webhooks"]["redeliverFailed"];

/** A user for operators: ids and statuses, without personal data. */
export type UserDetails = RouterOutputs["users"]["show"];
/** The outcome for each imported user, in the order of the input. */
export type ImportedUsers = RouterOutputs["users"]["import"];

/** A KYC record and its next attempt, for operators. */
export type RecordSummary = RouterOutputs["records"]["list"]["records"][number];
/** A KYC record for operators, with what to do next, its history and its webhook deliveries. */
export type RecordDetails = RouterOutputs["records"]["get"];
/** A record before and after an operator's attempt, with the provider's replies. */
export type RecordAttempt = RouterOutputs["records"]["refresh"];
/** A record before and after an operator's decision. */
export type ResolvedRecord = RouterOutputs["records"]["resolve"];

/** A platform. */
export type Platform = RouterOutputs["platforms"]["create"];
/** A platform with its stored files and bytes. */
export type ListedPlatform = RouterOutputs["platforms"]["list"]["platforms"][number];

/** An API key without its secret. */
export type ApiKey = RouterOutputs["keys"]["list"]["keys"][number];
/** An API key with its secret, which is shown only once. */
export type CreatedApiKey = RouterOutputs["keys"]["create"];
/** The successor of an API key, with its secret and its predecessor. */
export type RotatedApiKey = RouterOutputs["keys"]["rotate"];

/** A version of the key ring, and the counts of data encrypted under it. */
export type EncryptionKeyVersion = RouterOutputs["encryptionKeys"]["status"]["versions"][number];
/** The result of one batch of rewrapping. */
export type RewrappedKeys = RouterOutputs["encryptionKeys"]["rewrap"];

/** A process of the service, from its last heartbeat. */
export type ServiceProcess = RouterOutputs["processes"]["list"]["processes"][number];

/** An audit entry: one call of an operation. */
export type AuditEntry = RouterOutputs["audit"]["list"]["entries"][number];
/** The result of one batch of an audit's verification. */
export type AuditVerification = RouterOutputs["audit"]["verify"];
