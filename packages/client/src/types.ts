import type { operations, problem } from "./contract.ts";

type Contract = typeof operations;

/** Which of a user's cards to list. */
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
/** The data of a submission, which need not be complete or valid. */
export type KycDraft = Contract["kyc"]["validate"]["input"];
/** What a submission would be now, and what is wrong with it. */
export type KycValidation = Contract["kyc"]["validate"]["output"];
/** What is known of a user before a submission. */
export type KycRequirementsQuery = Contract["kyc"]["requirements"]["input"];
/** What a submission of this user needs: enough to build a form. */
export type KycRequirements = Contract["kyc"]["requirements"]["output"];
/** A user, by email or by memberId. */
export type KycLookup = Contract["kyc"]["get"]["input"];
/** The id of a KYC record, or any result that has it. */
export type KycRecordId = Contract["kyc"]["history"]["input"];
/** A KYC record with its history, oldest first. */
export type KycHistory = Contract["kyc"]["history"]["output"];

/** A file, and the field of the submission that it is for. */
export type FileUpload = Contract["files"]["upload"]["input"];
/** An uploaded file; its `url` goes into a submission. */
export type UploadedFile = Contract["files"]["upload"]["output"];

/** A user's memberId and their new e-mail. */
export type EmailChange = Contract["users"]["changeEmail"]["input"];
/** The id under which the card provider knows a user. */
export type UserId = Contract["users"]["changeEmail"]["output"];

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
/** The changes of a webhook endpoint; a field that is left out stays. */
export type WebhookEndpointChange = Contract["webhooks"]["update"]["input"];
/** Which secret to rotate, and for how long the previous one signs as well. */
export type WebhookSecretRotation = Contract["webhooks"]["rotateSecret"]["input"];
/** Which deliveries of a webhook endpoint to list. */
export type WebhookDeliveryListQuery = Contract["webhooks"]["deliveries"]["input"];
/** One page of deliveries, newest first. */
export type WebhookDeliveryPage = Contract["webhooks"]["deliveries"]["output"];
/** The ids of a delivery, or a delivery. */
export type WebhookDeliveryId = Contract["webhooks"]["delivery"]["input"];
/** The delivery of one event to one endpoint. */
export type WebhookDelivery = Contract["webhooks"]["redeliver"]["output"];
/** A delivery with its attempts, oldest first. */
export type WebhookDeliveryDetails = Contract["webhooks"]["delivery"]["output"];
/** Which failed deliveries to send again. */
export type WebhookRedelivery = Contract["webhooks"]["redeliverFailed"]["input"];
/** How many deliveries are sent again, and whether there are more. */
export type RedeliveredWebhooks = Contract["webhooks"]["redeliverFailed"]["output"];

/** The body of an error. */
export type Problem = typeof problem;
