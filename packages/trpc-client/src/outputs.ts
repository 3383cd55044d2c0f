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
/** A request of the provider for one more document. */
export type DocumentRequest = RouterOutputs["kyc"]["answerRequest"];
/** One change in the history of a KYC record. */
export type KycHistoryEntry = KycHistory["history"][number];
/** The KYC changes of a platform after a position. */
export type KycChangePage = RouterOutputs["kyc"]["listChanges"];
/** A change of a KYC record or of one of its requests, with its position. */
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

/** A page of a search of records. */
export type RecordSearchPage = RouterOutputs["records"]["search"];
/** A record of a search, without personal data. */
export type RecordRow = RecordSearchPage["records"][number];
/** The numbers of records of some platforms. */
export type RecordCounts = RouterOutputs["records"]["counts"];
/** What changes while a record is open. */
export type RecordState = RouterOutputs["records"]["state"];
/** An attempt to send a submission, or to ask for its status. */
export type StoredAttempt = RouterOutputs["records"]["attempts"]["attempts"][number];
/** A note of an operator about a record. */
export type RecordNote = RouterOutputs["records"]["addNote"];
/** Who works on a record, and the version of this assignment. */
export type RecordAssignment = RouterOutputs["records"]["assign"];
/** The changes of the records of several platforms after a position. */
export type RecordChangePage = RouterOutputs["records"]["listChanges"];
/** A change of a record, with its position. */
export type RecordChange = RecordChangePage["changes"][number];
/** An event of the subscription `records.changes`. */
export type RecordChangeEvent =
  RouterOutputs["records"]["changes"] extends AsyncIterable<infer Event> ? Event : never;

/** The users whom an identifier finds, over several platforms. */
export type FoundUsers = RouterOutputs["users"]["find"];

/** The person of the call, and what the key and the person's roles allow together. */
export type CurrentPerson = RouterOutputs["persons"]["me"];
/** A person who called through an internal app. */
export type PersonFacts = RouterOutputs["persons"]["list"]["persons"][number];

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
/** What a request did, from the audit. */
export type AuditedRequest = RouterOutputs["audit"]["request"];
/** The result of one batch of an audit's verification. */
export type AuditVerification = RouterOutputs["audit"]["verify"];
