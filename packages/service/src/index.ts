import type { Policies } from "@cardbridge/domain";
import { dropAudit } from "./audit/drop.ts";
import { exportAudit } from "./audit/export.ts";
import { listAudit } from "./audit/list.ts";
import { proveAudit } from "./audit/proof.ts";
import { showAuditedRequest } from "./audit/request.ts";
import { verifyAudit } from "./audit/verify.ts";
import { getCard } from "./cards/get.ts";
import { listCards } from "./cards/list.ts";
import { answerRequest } from "./document-requests/answer.ts";
import { rewrapEncryptionKeys } from "./encryption-keys/rewrap.ts";
import { encryptionKeysStatus } from "./encryption-keys/status.ts";
import { currentEvidenceHash } from "./evidence/evidence.ts";
import { readRestrictedReasons } from "./evidence/restricted-reasons.ts";
import { openRecordSubmission } from "./evidence/submission.ts";
import { showSubmissionFile } from "./evidence/submission-file.ts";
import { createUploadUrl } from "./files/create-upload-url.ts";
import { readFile } from "./files/read.ts";
import { uploadFile } from "./files/upload.ts";
import { uploadToUrl } from "./files/upload-to-url.ts";
import { liftConfirmed, liftHold } from "./holds/lift.ts";
import { listHolds } from "./holds/list.ts";
import { placeHold } from "./holds/place.ts";
import { createKey } from "./keys/create.ts";
import { listKeys } from "./keys/list.ts";
import { revokeKey } from "./keys/revoke.ts";
import { rotateKey } from "./keys/rotate.ts";
import { getKyc } from "./kyc/get.ts";
import { getKycHistory } from "./kyc/history.ts";
import { listKycChanges } from "./kyc/list-changes.ts";
import { observeChange } from "./kyc/observe.ts";
import { kycRequirementsOf } from "./kyc/requirements.ts";
import { submitKyc } from "./kyc/submit.ts";
import { validateKyc } from "./kyc/validate.ts";
import { addRecordNote } from "./notes/add.ts";
import { listRecordNotes } from "./notes/list.ts";
import type { Operation } from "./operation/declaration.ts";
import { listPauses } from "./pauses/list.ts";
import { resumePause } from "./pauses/resume.ts";
import { pausePlatform, pauseProvider } from "./pauses/start.ts";
import { exportUser } from "./personal-data/export.ts";
import { exportUserPart } from "./personal-data/export-part.ts";
import { blockPerson } from "./persons/block.ts";
import { listColleagues } from "./persons/colleagues.ts";
import { listPersons } from "./persons/list.ts";
import { showCurrentPerson } from "./persons/me.ts";
import { createPlatform } from "./platforms/create.ts";
import { listPlatforms } from "./platforms/list.ts";
import { renamePlatform } from "./platforms/rename.ts";
import { listProcesses } from "./processes/list.ts";
import { readServiceStatus } from "./processes/status.ts";
import type { Acts } from "./proposals/acts.ts";
import { confirmProposal } from "./proposals/confirm.ts";
import { getProposal } from "./proposals/get.ts";
import { listProposals } from "./proposals/list.ts";
import { withdrawProposal } from "./proposals/withdraw.ts";
import { approveRecord } from "./records/approve-confirmed.ts";
import { assignRecord } from "./records/assign.ts";
import { listRecordAttempts } from "./records/attempts.ts";
import { createCaseFile } from "./records/case-file.ts";
import { countRecords } from "./records/counts.ts";
import { getRecord } from "./records/get.ts";
import { listRecords } from "./records/list.ts";
import { listRecordChanges } from "./records/list-changes.ts";
import { refreshRecord } from "./records/refresh.ts";
import { requeueRecordManually } from "./records/requeue.ts";
import { requeueRecords } from "./records/requeue-many.ts";
import { resendRecord } from "./records/resend.ts";
import { resolveRecord } from "./records/resolve.ts";
import { searchRecords } from "./records/search.ts";
import { showUser } from "./records/show-user.ts";
import { readRecordState } from "./records/state.ts";
import { checkRestore } from "./restores/check.ts";
import { actInSandbox } from "./sandbox/act.ts";
import { findAnything } from "./search/find.ts";
import { listUserCards } from "./users/cards.ts";
import { changeUserEmail } from "./users/change-email.ts";
import { eraseConfirmed, eraseUser } from "./users/erase.ts";
import { findUsers } from "./users/find.ts";
import { revealUserIdentifiers } from "./users/identifiers.ts";
import { importUsers } from "./users/import.ts";
import { relinkConfirmed, relinkUser } from "./users/relink.ts";
import { createWebhookEndpoint } from "./webhooks/create.ts";
import { deleteWebhookEndpoint } from "./webhooks/delete.ts";
import { listWebhookDeliveries } from "./webhooks/deliveries.ts";
import { getWebhookDelivery } from "./webhooks/delivery.ts";
import { readEndpointHealth } from "./webhooks/endpoint-health.ts";
import { getWebhookEndpoint } from "./webhooks/get.ts";
import { listWebhookEndpoints } from "./webhooks/list.ts";
import { redeliverWebhook } from "./webhooks/redeliver.ts";
import { redeliverFailedWebhooks } from "./webhooks/redeliver-failed.ts";
import { redeliverWebhooks } from "./webhooks/redeliver-many.ts";
import { rotateWebhookSecret } from "./webhooks/rotate-secret.ts";
import { searchWebhookDeliveries } from "./webhooks/search-deliveries.ts";
import { testWebhookEndpoint } from "./webhooks/test.ts";
import { updateWebhookEndpoint } from "./webhooks/update.ts";

/** What each kind of proposal carries out when another person confirms it. */
export const confirmedActs: Acts = {
  approve: { operation: "records.resolve", carryOut: approveRecord },
  relink: { operation: "users.relink", carryOut: relinkConfirmed },
  erase: { operation: "users.erase", carryOut: eraseConfirmed },
  liftHold: { operation: "holds.lift", carryOut: liftConfirmed },
};

/** Creates all operations of the service with these policies. It has no side effects. */
export function createOperations(policies: Policies) {
  return {
    cards: { list: listCards, get: getCard },
    kyc: {
      submit: submitKyc(policies),
      get: getKyc,
      validate: validateKyc(policies),
      requirements: kycRequirementsOf(policies),
      history: getKycHistory,
      listChanges: listKycChanges,
      answerRequest: answerRequest(policies),
    },
    users: {
      find: findUsers,
      show: showUser,
      cards: listUserCards,
      import: importUsers,
      relink: relinkUser(policies),
      changeEmail: changeUserEmail,
      erase: eraseUser(policies),
      identifiers: revealUserIdentifiers,
      export: exportUser,
      exportPart: exportUserPart,
    },
    holds: { place: placeHold(policies), lift: liftHold(policies), list: listHolds },
    sandbox: { act: actInSandbox },
    files: { upload: uploadFile, uploadToUrl, createUploadUrl, read: readFile },
    records: {
      search: searchRecords,
      counts: countRecords,
      list: listRecords,
      get: getRecord,
      state: readRecordState,
      attempts: listRecordAttempts,
      notes: listRecordNotes,
      addNote: addRecordNote,
      assign: assignRecord,
      listChanges: listRecordChanges,
      requeue: requeueRecordManually,
      refresh: refreshRecord,
      resend: resendRecord,
      resolve: resolveRecord(policies),
      requeueMany: requeueRecords,
      submission: openRecordSubmission,
      submissionFile: showSubmissionFile,
      restrictedReasons: readRestrictedReasons,
    },
    proposals: {
      list: listProposals,
      get: getProposal,
      confirm: confirmProposal({
        acts: confirmedActs,
        evidenceHashOf: currentEvidenceHash,
        observeChange,
      }),
      withdraw: withdrawProposal,
    },
    pauses: {
      list: listPauses,
      pauseProvider: pauseProvider(policies),
      pausePlatform: pausePlatform(policies),
      resume: resumePause,
    },
    search: { find: findAnything },
    service: { status: readServiceStatus },
    platforms: { create: createPlatform, list: listPlatforms, rename: renamePlatform },
    keys: { create: createKey(policies), list: listKeys, rotate: rotateKey(policies), revoke: revokeKey },
    encryptionKeys: { status: encryptionKeysStatus, rewrap: rewrapEncryptionKeys },
    audit: {
      list: listAudit,
      proof: proveAudit(),
      caseFile: createCaseFile,
      request: showAuditedRequest,
      verify: verifyAudit,
      export: exportAudit(policies),
      drop: dropAudit(policies),
    },
    restore: { check: checkRestore },
    processes: { list: listProcesses },
    persons: { me: showCurrentPerson, list: listPersons, colleagues: listColleagues, block: blockPerson },
    webhooks: {
      create: createWebhookEndpoint(policies),
      list: listWebhookEndpoints,
      get: getWebhookEndpoint,
      update: updateWebhookEndpoint(policies),
      delete: deleteWebhookEndpoint,
      rotateSecret: rotateWebhookSecret,
      test: testWebhookEndpoint,
      redeliverFailed: redeliverFailedWebhooks,
      deliveries: listWebhookDeliveries,
      delivery: getWebhookDelivery,
      redeliver: redeliverWebhook,
      searchDeliveries: searchWebhookDeliveries,
      redeliverMany: redeliverWebhooks,
      endpointHealth: readEndpointHealth,
    },
  };
}

export type Operations = ReturnType<typeof createOperations>;

/** The operations with a REST route. */
export type RestOperations = Without<Operations, { rest?: undefined }>;

/** The operations that tRPC serves: those with JSON input and output. */
export type Procedures = Without<Operations, { binary: true }>;

/** All operations as a flat list. */
export function listOperations(operations: Operations): Operation[] {
  return Object.values(operations).flatMap((noun) => Object.values(noun) as Operation[]);
}

/** The operations that tRPC serves as a flat list. */
export function listProcedures(operations: Operations): Operation[] {
  return listOperations(operations).filter(({ binary }) => !binary);
}

/** Returns the same tree with each operation replaced by the result of `replace`. */
export function mapOperations(
  operations: Operations,
  replace: (operation: Operation) => Operation,
): Operations {
  const mapVerbs = (verbs: object) =>
    Object.fromEntries(Object.entries(verbs).map(([verb, operation]) => [verb, replace(operation)]));
  const nouns = Object.entries(operations).map(([noun, verbs]) => [noun, mapVerbs(verbs)]);
  return Object.fromEntries(nouns) as Operations;
}

/** A tree without the operations that have this trait, and without empty nouns. */
type Without<Tree, Trait> = {
  [Noun in keyof Tree as [VerbsWithout<Tree[Noun], Trait>] extends [never] ? never : Noun]: Pick<
    Tree[Noun],
    VerbsWithout<Tree[Noun], Trait>
  >;
};

type VerbsWithout<Verbs, Trait> = {
  [Verb in keyof Verbs]: Verbs[Verb] extends Trait ? never : Verb;
}[keyof Verbs];

export { checkpointAudit, pendingAudit } from "./audit/checkpoint.ts";
export { verifyAuditBatch } from "./audit/verify.ts";
export { writeReadCounts } from "./audit/write-read-counts.ts";
export { type BackupState, readBackups } from "./backups/state.ts";
export { recordCardUpdate } from "./cards/record-provider-update.ts";
export { backupSteps } from "./database/schema/backups.ts";
export { countDocumentRequests, type RequestCount, requestStates } from "./document-requests/count.ts";
export { recordRequestEvent } from "./document-requests/record.ts";
export { sweepOpenings } from "./evidence/openings.ts";
export { readFile } from "./files/read.ts";
export { sweepFiles } from "./files/sweep.ts";
export { checkDocuments } from "./kyc/check-documents.ts";
export { countDocuments, type DocumentCount, documentStates, maxDocuments } from "./kyc/count-documents.ts";
export { exampleSubmission } from "./kyc/example.ts";
export { resolveLookup, storeLookup } from "./kyc/lookups.ts";
export { recordProviderUpdate } from "./kyc/record-provider-update.ts";
export { requeueRecord } from "./kyc/requeue.ts";
export { resolveDue } from "./kyc/resolve-due.ts";
export { submission } from "./kyc/submit.ts";
export { type ActorKind, type Call, holderOf } from "./operation/call.ts";
export type { Operation, Outcome, RestBinding, RestTag } from "./operation/declaration.ts";
export { eventPasses, pass, type WorkerPass, workerPasses } from "./operation/pass.ts";
export type { GenerateKey, GenerateWebhookSecret, Ids, Ports } from "./operation/ports.ts";
export { findPlatform, namedPlatforms } from "./operation/reach.ts";
export { type ExportedFile, UnreadablePart } from "./personal-data/exported-files.ts";
export { reasonsNotToStart } from "./restores/restored.ts";
export { requestErasure } from "./users/erase.ts";
export { eraseDueUsers, requestExpiredErasures, sweepUsers } from "./users/erasures.ts";
export { deliverWebhook } from "./webhooks/deliver.ts";
export { countDeliveries, disableBacklogged, pruneWebhooks } from "./webhooks/upkeep.ts";
