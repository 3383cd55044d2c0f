import type { operations, problem } from "./contract.ts";

type Contract = typeof operations;

/** The user and the filter of a card list. */
export type CardListQuery = Contract["cards"]["list"]["input"];
/** One page of cards, newest first. */
export type CardPage = Contract["cards"]["list"]["output"];
/** The id of a card, or a card. */
export type CardId = Contract["cards"]["get"]["input"];
/** A payment card. */
export type Card = Contract["cards"]["get"]["output"];

/** The data of a KYC submission. */
export type KycSubmission = Contract["kyc"]["submit"]["input"];
/** The result of a KYC submission. */
export type KycResult = Contract["kyc"]["submit"]["output"];
/** Why the provider refused or rejected a submission, and what to correct. */
export type KycReason = NonNullable<KycResult["reasons"]>[number];
/** The data of a submission, which may be incomplete or invalid. */
export type KycDraft = Contract["kyc"]["validate"]["input"];
/** The result that a submission would have now, with its violations. */
export type KycValidation = Contract["kyc"]["validate"]["output"];
/** The known fields of a user before a submission. */
export type KycRequirementsQuery = Contract["kyc"]["requirements"]["input"];
/** The requirements of a submission of this user, with all facts to build a form. */
export type KycRequirements = Contract["kyc"]["requirements"]["output"];
/** A user, by email or by memberId. */
export type KycLookup = Contract["kyc"]["get"]["input"];
/** The standing approval of a user with its renewal, or the latest result. */
export type KycReading = Contract["kyc"]["get"]["output"];
/** The id of a KYC record, or any result that has it. */
export type KycRecordId = Contract["kyc"]["history"]["input"];
/** A KYC record with its history, oldest first. */
export type KycHistory = Contract["kyc"]["history"]["output"];
/** A request of the provider for one more document. */
export type DocumentRequest = Contract["kyc"]["answerRequest"]["output"];
/** The ids of a request, and the uploaded files that answer it. */
export type DocumentRequestAnswer = Contract["kyc"]["answerRequest"]["input"];

/** A file, and the field of the submission that will use it. */
export type FileUpload = Contract["files"]["upload"]["input"];
/** An uploaded file. Send its `url` in a submission. */
export type UploadedFile = Contract["files"]["upload"]["output"];

/** A user's memberId and their new e-mail. */
export type EmailChange = Contract["users"]["changeEmail"]["input"];
/** The id of a user at the card provider. */
export type UserId = Contract["users"]["changeEmail"]["output"];

/** An act of the provider of a test service, on a user's submission or card. */
export type SandboxAct = Contract["sandbox"]["act"]["input"];
/** What an act was about. What follows from it comes as webhooks. */
export type SandboxActResult = Contract["sandbox"]["act"]["output"];

/** A new webhook endpoint. */
export type NewWebhookEndpoint = Contract["webhooks"]["create"]["input"];
/** The id of a webhook endpoint, or an endpoint. */
export type WebhookEndpointId = Contract["webhooks"]["get"]["input"];
/** A webhook endpoint without its secret. */
export type WebhookEndpoint = Contract["webhooks"]["get"]["output"];
/** A webhook endpoint with its secret, which is shown only once. */
export type WebhookEndpointWithSecret = Contract["webhooks"]["create"]["output"];
/** All webhook endpoints of a platform, oldest first. */
export type WebhookEndpointList = Contract["webhooks"]["list"]["output"];
/** The changes of a webhook endpoint. An omitted field stays unchanged. */
export type WebhookEndpointChange = Contract["webhooks"]["update"]["input"];
/** The rotation of a secret, with the overlap in which the previous secret also signs. */
export type WebhookSecretRotation = Contract["webhooks"]["rotateSecret"]["input"];
/** The filter of a list of deliveries. */
export type WebhookDeliveryListQuery = Contract["webhooks"]["deliveries"]["input"];
/** One page of deliveries, newest first. */
export type WebhookDeliveryPage = Contract["webhooks"]["deliveries"]["output"];
/** The ids of a delivery, or a delivery. */
export type WebhookDeliveryId = Contract["webhooks"]["delivery"]["input"];
/** The delivery of one event to one endpoint. */
export type WebhookDelivery = Contract["webhooks"]["redeliver"]["output"];
/** A delivery with its last attempts, oldest first. */
export type WebhookDeliveryDetails = Contract["webhooks"]["delivery"]["output"];
/** The failed deliveries to send again. */
export type WebhookRedelivery = Contract["webhooks"]["redeliverFailed"]["input"];
/** The number of deliveries that are sent again, and whether more remain. */
export type RedeliveredWebhooks = Contract["webhooks"]["redeliverFailed"]["output"];

/** The body of an error. */
export type Problem = typeof problem;
