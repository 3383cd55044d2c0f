import type { Policies } from "@cardbridge/domain";
import { listAudit } from "./audit/list.ts";
import { sealAudit } from "./audit/seal.ts";
import { verifyAudit } from "./audit/verify.ts";
import { getCard } from "./cards/get.ts";
import { listCards } from "./cards/list.ts";
import { recordCardUpdate } from "./cards/record-provider-update.ts";
import { rewrapEncryptionKeys } from "./encryption-keys/rewrap.ts";
import { encryptionKeysStatus } from "./encryption-keys/status.ts";
import { createUploadUrl } from "./files/create-upload-url.ts";
import { readFile } from "./files/read.ts";
import { sweepFiles } from "./files/sweep.ts";
import { uploadFile } from "./files/upload.ts";
import { forgetIdempotencyKeys } from "./idempotency-keys/forget.ts";
import { createKey } from "./keys/create.ts";
import { listKeys } from "./keys/list.ts";
import { revokeKey } from "./keys/revoke.ts";
import { rotateKey } from "./keys/rotate.ts";
import { askProviderNow } from "./kyc/ask-now.ts";
import { getKyc } from "./kyc/get.ts";
import { getKycHistory } from "./kyc/history.ts";
import { listKycChanges } from "./kyc/list-changes.ts";
import { recordProviderUpdate } from "./kyc/record-provider-update.ts";
import { kycRequirementsOf } from "./kyc/requirements.ts";
import { settleDueKyc } from "./kyc/settle-due.ts";
import { submitKyc } from "./kyc/submit.ts";
import { validateKyc } from "./kyc/validate.ts";
import type { Operation } from "./operation/declaration.ts";
import { createPlatform } from "./platforms/create.ts";
import { listPlatforms } from "./platforms/list.ts";
import { renamePlatform } from "./platforms/rename.ts";
import { askRecord } from "./records/ask.ts";
import { listRecords } from "./records/list.ts";
import { resendRecord } from "./records/resend.ts";
import { settleRecord } from "./records/settle.ts";
import { showRecord } from "./records/show.ts";
import { changeUserEmail } from "./users/change-email.ts";
import { eraseUser } from "./users/erase.ts";
import { eraseDueUsers } from "./users/erase-due.ts";
import { expireUsers } from "./users/expire.ts";
import { importUsers } from "./users/import.ts";
import { relinkUser } from "./users/relink.ts";
import { showUser } from "./users/show.ts";
import { createWebhookEndpoint } from "./webhooks/create.ts";
import { deleteWebhookEndpoint } from "./webhooks/delete.ts";
import { deliverWebhook } from "./webhooks/deliver.ts";
import { listWebhookDeliveries } from "./webhooks/deliveries.ts";
import { getWebhookDelivery } from "./webhooks/delivery.ts";
import { forgetWebhooks } from "./webhooks/forget.ts";
import { getWebhookEndpoint } from "./webhooks/get.ts";
import { leaseDueWebhooks } from "./webhooks/lease-due.ts";
import { listWebhookEndpoints } from "./webhooks/list.ts";
import { redeliverWebhook } from "./webhooks/redeliver.ts";
import { redeliverFailedWebhooks } from "./webhooks/redeliver-failed.ts";
import { rotateWebhookSecret } from "./webhooks/rotate-secret.ts";
import { testWebhookEndpoint } from "./webhooks/test.ts";
import { updateWebhookEndpoint } from "./webhooks/update.ts";

/** Creates all operations of the service with these policies. It has no side effects. */
export function createOperations(policies: Policies) {
  return {
    cards: { list: listCards, get: getCard, recordProviderUpdate: recordCardUpdate },
    kyc: {
      submit: submitKyc(policies),
      get: getKyc,
      history: getKycHistory,
      listChanges: listKycChanges,
      validate: validateKyc(policies),
      requirements: kycRequirementsOf(policies),
      recordProviderUpdate,
      askNow: askProviderNow,
      settleDue: settleDueKyc,
    },
    files: { upload: uploadFile, createUploadUrl, read: readFile, sweep: sweepFiles },
    records: {
      list: listRecords,
      show: showRecord,
      ask: askRecord,
      resend: resendRecord,
      settle: settleRecord,
    },
    users: {
      show: showUser,
      import: importUsers,
      relink: relinkUser,
      changeEmail: changeUserEmail,
      erase: eraseUser,
      eraseDue: eraseDueUsers,
      expire: expireUsers,
    },
    platforms: { create: createPlatform, list: listPlatforms, rename: renamePlatform },
    keys: { create: createKey(policies), list: listKeys, rotate: rotateKey(policies), revoke: revokeKey },
    encryptionKeys: { status: encryptionKeysStatus, rewrap: rewrapEncryptionKeys },
    audit: { list: listAudit, verify: verifyAudit, seal: sealAudit },
    idempotencyKeys: { forget: forgetIdempotencyKeys },
    webhooks: {
      create: createWebhookEndpoint(policies),
      list: listWebhookEndpoints,
      get: getWebhookEndpoint,
      update: updateWebhookEndpoint(policies),
      delete: deleteWebhookEndpoint,
      rotateSecret: rotateWebhookSecret,
      test: testWebhookEndpoint,
      deliveries: listWebhookDeliveries,
      delivery: getWebhookDelivery,
      redeliver: redeliverWebhook,
      redeliverFailed: redeliverFailedWebhooks,
      leaseDue: leaseDueWebhooks,
      deliver: deliverWebhook,
      forget: forgetWebhooks,
    },
  };
}

export type Operations = ReturnType<typeof createOperations>;

/** All operations as a flat list. */
export function listOperations(operations: Operations): Operation[] {
  return Object.values(operations).flatMap((noun) => Object.values(noun) as Operation[]);
}

/** The same operations, each replaced by what `replace` returns for it. */
export function mapOperations(
  operations: Operations,
  replace: (operation: Operation) => Operation,
): Operations {
  const mapVerbs = (verbs: object) =>
    Object.fromEntries(Object.entries(verbs).map(([verb, operation]) => [verb, replace(operation)]));
  const nouns = Object.entries(operations).map(([noun, verbs]) => [noun, mapVerbs(verbs)]);
  return Object.fromEntries(nouns) as Operations;
}

/** The operations that tRPC serves: those for API keys, with JSON input and output. */
export function listProcedures(operations: Operations): Operation[] {
  return listOperations(operations).filter(({ actors, binary }) => actors.includes("internal") && !binary);
}

export { readFile } from "./files/read.ts";
export { exampleSubmission } from "./kyc/example.ts";
export type { ActorKind, Call } from "./operation/call.ts";
export type { Operation, Outcome } from "./operation/declaration.ts";
export type { Ids, MintKey, MintWebhookSecret, Ports } from "./operation/ports.ts";
export { reasonOf } from "./operation/reason.ts";
