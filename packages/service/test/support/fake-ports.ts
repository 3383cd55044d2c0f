import { Failure, noTracer } from "@cardbridge/domain";
import { noLookupCache } from "../../src/database/lookup-cache.ts";
import type { Database } from "../../src/database.ts";
import { parseKeyRing } from "../../src/encryption/key-ring.ts";
import { deriveKeys, derivePersonalDataKeys } from "../../src/encryption/keys.ts";
import type { Ports } from "../../src/index.ts";
import { memoryBlobs } from "./a-file.ts";

const secrets = {
  ring: parseKeyRing(`1:${Buffer.alloc(32, 1).toString("base64")}`),
  fingerprintKey: "a-secret-for-fingerprints-in-tests",
};

/** A database in which every transaction commits, and nothing is found. */
export const emptyDatabase = {
  asPlatform: async () => null,
  asOperators: async () => [],
  withoutPlatform: async () => ({ rows: [] }),
} as unknown as Database;

const at = new Date("2026-01-31T12:00:00.000Z");

/** Ports that find and store nothing. Tests replace the ports that they need. */
export function fakePorts(replaced: Partial<Ports> = {}) {
  const observed: unknown[][] = [];
  const ports: Ports = {
    ...emptyAdmin(),
    ...emptyRecords(),
    ...emptyFiles(),
    ...emptyWebhooks(),
    database: emptyDatabase,
    cache: noLookupCache,
    keySet: deriveKeys(secrets),
    personalDataKeys: async () => derivePersonalDataKeys(secrets),
    users: { find: async () => null },
    ids: {
      externalUserId: () => "usr_new",
      kycRecordId: () => "kyc_new",
      platformId: () => "plt_new",
      keyId: () => "key_new",
      fileId: () => "file_new",
      webhookEndpointId: () => "whe_new",
      holdId: () => "hold_new",
      personId: () => "per_new",
      noteId: () => "note_new",
      openingId: () => "open_new",
      proposalId: () => "prop_new",
      pauseId: () => "pause_new",
      blobName: () => "blob_new",
    },
    tracer: noTracer,
    observer: { observe: (...event) => void observed.push(event) },
    audit: {
      writeReadCounts: async () => 0,
      list: async () => ({ entries: [], nextCursor: null, narrow: false, reachesTo: null, since: null }),
      proofs: async (platformId) => ({ platformId, entries: [], checkpoints: [], since: null }),
      ofRequest: async () => [],
      about: async function* () {},
      platforms: async () => [],
      exportMonth: async () => null,
      verify: async () => ({
        checkpoints: 0,
        entries: 0,
        anchor: null,
        last: null,
        problems: [],
        next: null,
        pending: 0,
      }),
      pending: async () => [],
      checkpoint: async () => null,
    },
    auditArchive: { open: async () => Promise.reject(new Failure("INVALID_INPUT")) },
    auditMonths: { drop: async () => null },
    restores: {
      reasonsNotToStart: async () => [],
      accessProblems: async () => [],
      keyProblems: async () => [],
      platforms: async () => [],
      recoverErasures: async () => ({ erasures: [], problems: [] }),
      compareFiles: async () => ({ files: 0, blobs: 0, missing: [], orphans: [] }),
      askWaiting: async () => 0,
      addExecution: async () => "known",
      finish: async () => {},
      explains: async () => false,
    },
    ...replaced,
  };
  return { ports, observed };
}

function emptyRecords(): Pick<
  Ports,
  | "kycRecords"
  | "kycAdmin"
  | "kycChanges"
  | "recordSearch"
  | "recordNotes"
  | "evidence"
  | "evidenceRenderer"
  | "readServiceStatus"
  | "provider"
  | "providerSlots"
> {
  return {
    kycRecords: {
      createOrReplay: async () => Promise.reject(new Failure("SERVICE_UNAVAILABLE")),
      preview: async () => ({ kind: "new" }),
      storeVerdict: async () => Promise.reject(new Failure("SERVICE_UNAVAILABLE")),
      reschedule: async () => {},
      leaseDue: async () => [],
      loadAttempt: async () => null,
      recordProviderUpdate: async () => null,
      findStep: async () => undefined,
      keepStep: async () => {},
      requeue: async () => null,
      countWaiting: async () => [],
      pruneKeys: async () => 0,
      latest: async () => null,
      history: async () => null,
    },
    kycAdmin: {
      list: async () => [],
      platformOf: async () => null,
      show: async () => null,
      state: async () => null,
      attempts: async () => null,
      views: async () => [],
      lease: async () => null,
      requeue: async () => null,
      requeueMany: async () => ({ matching: 0, requeued: 0, more: false }),
      assign: async () => null,
      resolve: async () => null,
    },
    recordSearch: {
      search: async () => ({ records: [], nextCursor: null, narrow: false, asOf: at.toISOString() }),
      counts: async () => ({
        needsAttention: 0,
        open: 0,
        assignedToMe: 0,
        oldestOpenAt: null,
        decided: {
          APPROVED: { count: 0, more: false },
          REJECTED: { count: 0, more: false },
          refused: { count: 0, more: false },
        },
      }),
      changes: async (_platforms, lastEventId = "1-0") => ({ changes: [], lastEventId, more: false }),
    },
    recordNotes: {
      list: async () => null,
      add: async () => Promise.reject(new Failure("KYC_RECORD_NOT_FOUND")),
    },
    evidence: {
      open: async () => null,
      opening: async () => null,
      uses: async () => false,
      covered: async () => null,
      hasOpened: async () => false,
      restrictedReasons: async () => null,
      sweep: async () => 0,
    },
    evidenceRenderer: { render: async () => Promise.reject(new Failure("SERVICE_UNAVAILABLE")) },
    readServiceStatus: async () => ({
      environment: "test",
      version: "0.0.0",
      commit: null,
      fourEyes: true,
      provider: { name: "cardbridge", breakers: {}, capabilities: { files: "", fields: [] } },
      limits: [],
      restoreCheckedAt: null,
    }),
    kycChanges: {
      after: async (_platformId, lastEventId = "1-0") => ({ changes: [], lastEventId, more: false }),
    },
    providerSlots: {
      tryTake: () => ({ held: true, release() {} }),
      room: () => 64,
      maxUnsent: () => 600,
      resultAfter: () => 2,
      run: (_platformId, work) => work(),
    },
    provider: {
      listCards: async () => ({ items: [], total: 0 }),
      findCard: async () => null,
      submitKyc: async () => ({ outcome: "unknown", reason: "deadline" }),
      findKyc: async () => ({ outcome: "not-found" }),
    },
  };
}

function emptyFiles(): Pick<Ports, "inspector" | "files" | "blobs" | "fileUrls"> {
  return {
    inspector: { inspect: async (bytes) => ({ contentType: "image/jpeg", bytes }) },
    files: {
      keep: async (_platformId, { fileId, contentType }) => ({ fileId, contentType, expiresAt: at }),
      keptBy: async () => null,
      check: async () => [],
      read: async () => null,
      platformOf: async () => null,
      sweep: async () => 0,
    },
    blobs: memoryBlobs().blobs,
    fileUrls: {
      urlOf: (fileId) => `https://files.example.com/${fileId}`,
      fileIdOf: () => undefined,
      signed: (url) => url,
      uploadUrl: () => ({ url: "https://files.example.com/upload", expiresAt: at }),
    },
  };
}

function emptyAdmin(): Pick<Ports, "keys" | "generateKey" | "encryptionKeys" | "processes"> {
  return {
    keys: {
      list: async () => [],
      show: async () => null,
      create: async () => Promise.reject(new Failure("PLATFORM_NOT_FOUND")),
      rotate: async () => Promise.reject(new Failure("KEY_NOT_FOUND")),
      revoke: async () => null,
    },
    generateKey: () => ({ key: "cb_live_key", prefix: "cb_live_k", hash: Buffer.alloc(32) }),
    encryptionKeys: {
      status: async () => [],
      rewrap: async () => ({ version: 1, rewrapped: 0, failed: 0, next: null }),
    },
    processes: { list: async () => [] },
  };
}

function emptyWebhooks(): Pick<
  Ports,
  "webhookEndpoints" | "webhookDeliveries" | "webhookSearch" | "webhookSender" | "generateWebhookSecret"
> {
  return {
    webhookEndpoints: {
      create: async () => Promise.reject(new Failure("WEBHOOK_ENDPOINT_LIMIT")),
      list: async () => [],
      find: async () => null,
      update: async () => null,
      delete: async () => false,
      rotateSecret: async () => null,
      test: async () => null,
      deliveries: async () => null,
      delivery: async () => null,
      redeliver: async () => null,
      redeliverFailed: async () => null,
      ofRecord: async () => [],
    },
    webhookDeliveries: {
      leaseDue: async () => [],
      findInactive: async () => [],
      load: async () => null,
      record: async () => ({ disabled: false }),
      release: async () => {},
      cardUpdated: async () => false,
      count: async () => ({ pending: 0, oldestSeconds: 0, disabledEndpoints: 0 }),
      prune: async () => 0,
    },
    webhookSearch: {
      search: async () => ({ deliveries: [], nextCursor: null, narrow: false }),
      health: async () => ({ failing: [], endpoints: 0 }),
      redeliver: async () => ({ matching: 0, redelivered: 0, more: false }),
    },
    webhookSender: {
      send: async () => ({ outcome: { kind: "undelivered", reason: "connection-refused" }, milliseconds: 1 }),
    },
    generateWebhookSecret: () => "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
  };
}
