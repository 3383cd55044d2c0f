export type { Actor, AuditEntry, AuditOrigin, AuditOutcome, ListedAuditEntry } from "./audit/entry.ts";
export {
  type AuditVerified,
  auditVerification,
  auditVerified,
  type CheckpointReference,
} from "./audit/inputs.ts";
export { type AuditListQuery, auditListQuery, auditPage } from "./audit/list.ts";
export {
  type AuditArchive,
  type AuditFile,
  auditDropInput,
  auditDropped,
  auditExported,
  auditExportInput,
  type ExportedFile,
  endOfMonth,
  monthIsOver,
  monthOf,
} from "./audit/month.ts";
export { type AuditProofQuery, auditProof, auditProofQuery, maxProvenEntries } from "./audit/proof.ts";
export type { AuditProofs } from "./audit/proofs.ts";
export { type EvidencePurpose, evidencePurpose } from "./audit/purpose.ts";
export { auditedRequest, auditedRequestQuery } from "./audit/request.ts";
export { type Card, card, cardFormats } from "./cards/card.ts";
export { cardId } from "./cards/card-id.ts";
export { holdsCardNumber, isCardNumber, isSecurityCode } from "./cards/card-number.ts";
export { cardGetQuery, type OwnedCard } from "./cards/get.ts";
export { cardListQuery, cardPage } from "./cards/list.ts";
export { type CaseFile, caseFile } from "./case-files/case-file.ts";
export { errorCode } from "./errors/error-code.ts";
export { type Code, type ErrorCode, Failure, messages } from "./errors/failure.ts";
export { ReasonError, reasonOf } from "./errors/reason.ts";
export type { EvidenceRenderer, PageToRender, RenderedPage } from "./evidence/renderer.ts";
export { recordRestrictedReasons } from "./evidence/restricted.ts";
export {
  type EvidenceFile,
  type RecordSubmission,
  recordSubmission,
  recordSubmissionQuery,
  shownPages,
  submissionFile,
  submissionFileQuery,
} from "./evidence/submission.ts";
export {
  userExportPart,
  userExportPartQuery,
  userIdentifiers,
  userIdentifiersQuery,
} from "./evidence/user.ts";
export {
  acceptsPdf,
  type FilePurpose,
  type FileType,
  fileId,
  filePurpose,
  fileReference,
  fileTypes,
  storedFile,
  type UploadedFile,
  uploadedFile,
} from "./files/file.ts";
export { createUploadUrlInput, uploadAddress, uploadFileInput, uploadToUrlInput } from "./files/inputs.ts";
export type {
  BlobAddress,
  Blobs,
  EncryptedFile,
  FileInspector,
  FileLimits,
  Files,
  FileUrls,
  FileUse,
  Inspected,
  KeptFile,
  ListedBlobs,
  UploadUrlUse,
} from "./files/ports.ts";
export { type LegalHold, legalHold } from "./holds/hold.ts";
export {
  endsLater,
  exactlyOneHeld,
  holdListQuery,
  holdPage,
  liftedHold,
  liftHoldInput,
  placeHoldInput,
} from "./holds/inputs.ts";
export {
  exactlyOneIdentifier,
  externalUserId,
  normalizeEmail,
  toIdentifier,
  type UserIdentifier,
} from "./identity/identifier.ts";
export type { NamedPerson } from "./identity/named-person.ts";
export { errorBody, errorFields, errorsOf, toErrorBody } from "./input/error-body.ts";
export { calendarDate, email, fileUrl, idempotencyKey, memberId } from "./input/formats.ts";
export { isRecord } from "./input/is-record.ts";
export { limitArrays } from "./input/limit-arrays.ts";
export { extensibleEnum } from "./input/open-enum.ts";
export { type PageSlice, toPage } from "./input/pagination.ts";
export { type Parsed, parseInput } from "./input/parse.ts";
export { toPointer } from "./input/pointer.ts";
export type { JsonSchema, RawInput, Rule } from "./input/rule.ts";
export { misspelledFields, plainName } from "./input/unknown-fields.ts";
export type { Violation } from "./input/violations.ts";
export { visibleLine } from "./input/visible.ts";
export {
  type EncryptionKeyVersion,
  encryptionKeyStatus,
  type Rewrapped,
  rewrapInput,
  rewrapped,
} from "./keys/encryption-keys.ts";
export { type Environment, environmentHeader, environments } from "./keys/environment.ts";
export {
  createKeyInput,
  defaultKeyDays,
  expiresLater,
  keyBelongs,
  keyListQuery,
  keyPage,
  keyReference,
  maxInternalKeyDays,
  rotateKeyInput,
} from "./keys/inputs.ts";
export {
  type ApiKey,
  type CreatedKey,
  createdKey,
  type FindApiKey,
  type KeyFacts,
  type KeyOwner,
  keyFacts,
  ownerOf,
  type RotatedKey,
  rotatedKey,
} from "./keys/key.ts";
export {
  isOperatorScope,
  type OperatorScope,
  operatorScope,
  platformScope,
  type Scope,
  scope,
} from "./keys/scopes.ts";
export {
  type Attempt,
  type AttemptReport,
  planRetry,
  type RetryPlan,
  requiredNotFound,
} from "./kyc/attempt.ts";
export {
  type FieldSupport,
  type ProviderCapabilities,
  type SubmissionField,
  submissionFields,
  unlimitedCapabilities,
  valuesOf,
} from "./kyc/capabilities.ts";
export { capabilityRules } from "./kyc/capability-rules.ts";
export { comparableBody, comparableFiles } from "./kyc/comparable-body.ts";
export { describeRequirements } from "./kyc/describe-requirements.ts";
export {
  checkExpiry,
  type DocumentExpiry,
  documentExpiries,
  type ExpiryCheck,
  firstCheck,
  knownExpiries,
  neverChecked,
} from "./kyc/document-expiry.ts";
export {
  type AnswerFile,
  answerBody,
  applyDocumentRequest,
  type DocumentRequest,
  type DocumentRequestState,
  documentRequest,
  documentRequestAnswer,
  toDocumentRequest,
} from "./kyc/document-requests.ts";
export type { EmailOwner } from "./kyc/email-owner.ts";
export { fileOriginsRules } from "./kyc/file-origins.ts";
export { hongKongPolicies } from "./kyc/hong-kong.ts";
export { decideHongKong } from "./kyc/hong-kong-decision.ts";
export {
  type KycChange,
  kycChange,
  kycHistory,
  kycHistoryEntry,
  kycHistoryQuery,
  kycLookupQuery,
  toKycHistoryEntry,
} from "./kyc/lookup.ts";
export { type ManualDecision, needsTwoPersons } from "./kyc/manual-decision.ts";
export { defaultPolicies, type Policies } from "./kyc/policies.ts";
export type {
  AttemptId,
  CreatePreview,
  CreateResult,
  DueAttempt,
  KycRecords,
  RecordChange,
  RecordCount,
  RecordRequest,
} from "./kyc/ports.ts";
export {
  type AskedSubmission,
  type KycReference,
  type ProviderReply,
  type ShownReply,
  showReply,
} from "./kyc/provider-reply.ts";
export {
  answerTypes,
  documentRequestStatuses,
  maxRequests,
  type ProviderDocumentRequest,
  providerDocumentRequest,
  purposeOfDocument,
} from "./kyc/provider-request.ts";
export {
  currentKyc,
  type RecordReading,
  toCurrentKyc,
  toKycReading,
  toUserReading,
  type UserReading,
} from "./kyc/reading.ts";
export {
  type KycExplanation,
  type KycReasonCode,
  kycExplanation,
  kycReason,
  kycReasonCodes,
  maxReasons,
  personMessages,
  type RestrictedReason,
  reasonMessages,
  restrictedReasons,
} from "./kyc/reasons.ts";
export {
  applyManualDecision,
  applyVerdict,
  isDeclined,
  isFinal,
  isReversal,
  type KycRecord,
  type KycState,
  newRecord,
  newState,
  resolutions,
} from "./kyc/record.ts";
export { attemptWords } from "./kyc/reply-words.ts";
export { type KnownFields, kycRequirements, kycRequirementsQuery } from "./kyc/requirements.ts";
export { afterRejection } from "./kyc/resubmission.ts";
export { type KycResult, kycResult, refusalOf, statusOf, toKycResult } from "./kyc/result.ts";
export { kycRules } from "./kyc/rules.ts";
export { standingApproval } from "./kyc/standing-approval.ts";
export { type KycStatus, knownSubStatuses, kycStatus, unifiedStatus } from "./kyc/status.ts";
export {
  AttemptSuperseded,
  type ProviderIds,
  type ProviderSteps,
  type StepResult,
  stepName,
  stepResult,
} from "./kyc/steps.ts";
export { documentTypes, type KycSubmission, kycSubmission, supportingDocument } from "./kyc/submission.ts";
export {
  decideSubmission,
  type SubmissionDecision,
  type SubmissionFacts,
} from "./kyc/submission-decision.ts";
export { filesOf, type NamedFile, withFileUrls, withoutFiles } from "./kyc/submission-files.ts";
export {
  ignoredFields,
  isReported,
  type KycValidation,
  kycDraft,
  kycValidation,
  notForwarded,
  submissionErrors,
} from "./kyc/validation.ts";
export type { KycVerdict, OrderedVerdict } from "./kyc/verdict.ts";
export type { Labels, Observation, Observer } from "./observability/observer.ts";
export {
  noTracer,
  type Span,
  type SpanAttributes,
  type SpanStart,
  type Tracer,
} from "./observability/tracer.ts";
export { platformPaused, providerPaused, retryAfter } from "./pauses/failures.ts";
export {
  maxPauseDays,
  type Pause,
  pause,
  pauseListQuery,
  pausePage,
  pausePlatformInput,
  pauseProviderInput,
  resumeInput,
} from "./pauses/pause.ts";
export type { CurrentPause, CurrentPauses, PauseState } from "./pauses/ports.ts";
export {
  blockPersonInput,
  colleagueList,
  maxColleagues,
  personListQuery,
  personPage,
} from "./persons/inputs.ts";
export {
  type CurrentPerson,
  currentPerson,
  maxSignInAgeSeconds,
  type Person,
  type PersonFacts,
  type PersonPlatforms,
  personFacts,
  personHeader,
  personOf,
} from "./persons/person.ts";
export type { IdentifiedPerson, IdentifyPerson, SeenPerson } from "./persons/ports.ts";
export { type Role, role, rolesWith, scopesOfRole, scopesOfRoles } from "./persons/role.ts";
export {
  createPlatformInput,
  platformListQuery,
  platformPage,
  renamePlatformInput,
} from "./platforms/inputs.ts";
export {
  internalPlatformId,
  type Platform,
  platform,
  platformHeader,
  platformId,
} from "./platforms/platform.ts";
export type { Rate } from "./platforms/rate.ts";
export {
  type ProposalListQuery,
  type ProposalPage,
  proposalListQuery,
  proposalPage,
  proposalReference,
} from "./proposals/inputs.ts";
export {
  type Proposal,
  type ProposalDetails,
  type ProposalKind,
  proposalDetails,
  proposalHours,
  proposalKinds,
} from "./proposals/proposal.ts";
export { ExternalFileError, type ExternalFiles, type ProviderFiles } from "./provider/files.ts";
export type {
  ActResult,
  AnswerReply,
  CardListRequest,
  CardProvider,
  EventReader,
  ExecutionListRequest,
  ExecutionPage,
  ProviderAct,
  ProviderAnswer,
  ProviderEvent,
  ProviderExecution,
  ProviderKycRequest,
  ProviderSlots,
  Slot,
} from "./provider/ports.ts";
export {
  type BreakerState,
  breakerStates,
  type ConnectedProvider,
  type PoolState,
  type ProviderState,
} from "./provider/state.ts";
export { assignRecordInput, oneAssignee, recordAssignment } from "./records/assignment.ts";
export { recordAttempts, type StoredAttempt, storedAttempt } from "./records/attempt.ts";
export { type RecordChangeEvent, recordChangePage, recordChangesQuery } from "./records/changes.ts";
export { type ExplainedRecord, explainRecord } from "./records/explain.ts";
export {
  attentionAfterSeconds,
  explainsRejection,
  noCardNumber,
  type RecordAttempt,
  recordAttempt,
  recordListQuery,
  recordPage,
  recordReference,
  resolvedRecord,
  resolveRecordInput,
} from "./records/inputs.ts";
export {
  addNoteInput,
  type NewNote,
  type RecordNote,
  type RecordNotePage,
  recordNote,
  recordNotePage,
} from "./records/notes.ts";
export {
  type RecordDetails,
  type RecordState,
  type RecordSummary,
  recordState,
  recordSummary,
  shownRecord,
} from "./records/record.ts";
export { requeuedMany, requeueManyInput } from "./records/requeue-many.ts";
export {
  maxCounted,
  maxRowsOfSearch,
  type RecordCounts,
  type RecordFilter,
  type RecordRow,
  type RecordSearchQuery,
  recordCounts,
  recordCountsQuery,
  recordSearchPage,
  recordSearchQuery,
} from "./records/search.ts";
export { type RecordNext, type RecordSituation, recordNext, situations } from "./records/situations.ts";
export { type EvidenceOpening, maxRecordViews, type RecordView } from "./records/view.ts";
export { sandboxAct, sandboxActResult } from "./sandbox/act.ts";
export { type FoundThing, findQuery, foundThings, maxFoundOfKind } from "./search/find.ts";
export { processListQuery, processPage, processRoles, type ServiceProcess } from "./service/process.ts";
export {
  type RestoreFinding,
  type RestoreReport,
  restoreCheckInput,
  restoreReport,
} from "./service/restore.ts";
export { type ServiceState, type ServiceStatus, serviceStatus } from "./service/status.ts";
export { decideEmailChange } from "./users/email-change.ts";
export {
  exactlyOneSearched,
  findUsersQuery,
  foundUsers,
  type SearchedName,
  userCardsQuery,
} from "./users/find.ts";
export {
  type ImportedUser,
  type ImportOutcome,
  importedUser,
  importedUsers,
  importUsersInput,
} from "./users/import.ts";
export {
  changedUser,
  changeEmailInput,
  eraseUserInput,
  exactlyOneName,
  type NewNames,
  relinkUserInput,
  someNewName,
  type UserName,
  type UserNames,
  userQuery,
} from "./users/inputs.ts";
export { shownUser, type User, type UserFacts, type Users, userFacts, userId } from "./users/user.ts";
export {
  deliveryStatuses,
  maxRedeliveriesPerHour,
  maxShownAttempts,
  undeliveredReasons,
  type WebhookAttempt,
  type WebhookDelivery,
  type WebhookDeliveryDetails,
  type WebhookOutcome,
  webhookDelivery,
  webhookDeliveryDetails,
} from "./webhooks/delivery.ts";
export {
  disabledReasons,
  maxPendingDeliveries,
  maxWebhookEndpoints,
  type WebhookEndpoint,
  webhookEndpoint,
  webhookEndpointWithSecret,
} from "./webhooks/endpoint.ts";
export {
  automaticReasons,
  type CardUpdated,
  cardUpdated,
  type KycRequestUpdated,
  type KycUpdated,
  kycRequestUpdated,
  kycUpdated,
  type RecordEvent,
  subscribedEventTypes,
  toKycUpdated,
  type WebhookEventType,
  type WebhookPayload,
  webhookEvents,
  webhookEventTypes,
  webhookTested,
} from "./webhooks/events.ts";
export {
  createWebhookEndpointInput,
  deletedWebhookEndpoint,
  redeliveredWebhooks,
  redeliverFailedInput,
  rotateWebhookSecretInput,
  someWebhookChange,
  unknownCursor,
  updateWebhookEndpointInput,
  webhookDeliveryListQuery,
  webhookDeliveryPage,
  webhookDeliveryReference,
  webhookEndpointList,
  webhookEndpointListQuery,
  webhookEndpointReference,
} from "./webhooks/inputs.ts";
export {
  isBehind,
  type KycChangeEvent,
  type KycChangePage,
  kycChangeListQuery,
  kycChangePage,
  kycChangesQuery,
  maxChangesOfPage,
  positionBeyondPresent,
} from "./webhooks/kyc-changes.ts";
export { webhookPayloads } from "./webhooks/payloads.ts";
export type {
  AttemptSlots,
  DeliveryCount,
  DueDelivery,
  LoadedDelivery,
  RecordedAttempt,
  WebhookDeliveries,
  WebhookSender,
} from "./webhooks/ports.ts";
export { type DeliveryDecision, decideDelivery, maxWebhookAttempts } from "./webhooks/retry.ts";
export {
  type DeliverySearchQuery,
  deliverySearchPage,
  deliverySearchQuery,
  type EndpointHealth,
  endpointHealth,
  endpointHealthQuery,
  type FoundDelivery,
  type RedeliveryFilter,
  redeliveredMany,
  redeliverManyInput,
} from "./webhooks/search.ts";
export { webhookUrlRule } from "./webhooks/url.ts";
