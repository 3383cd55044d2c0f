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

/** The body of an error. */
export type Problem = typeof problem;
