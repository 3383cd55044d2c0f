import { Failure, noTracer } from "@cardbridge/domain";
import type { z } from "zod";
import { noLookupCache } from "../../src/database/lookup-cache.ts";
import type { Database } from "../../src/database.ts";
import { parseKeyRing } from "../../src/encryption/key-ring.ts";
import { deriveKeys, derivePersonalDataKeys } from "../../src/encryption/keys.ts";
import type { Call, Operation, Ports } from "../../src/index.ts";
import { defineOperation } from "../../src/operation/define.ts";

const secrets = {
  ring: parseKeyRing(`1:${Buffer.alloc(32, 1).toString("base64")}`),
  fingerprintKey: "a-secret-for-fingerprints-in-tests",
};

/** A database in which every transaction commits, and nothing is found. `used` has the platforms of transactions. */
function emptyDatabase(used: string[]) {
  const database: Partial<Record<keyof Database, unknown>> = {
    asPlatform: async (platformId: string) => {
      used.push(platformId);
      return null;
    },
    asOperators: async () => [],
    // The rows of a statement of drizzle, or the result of raw SQL.
    withoutPlatform: async () => Object.assign([], { rows: [] }),
  };
  return database as unknown as Database;
}

const at = new Date("2026-01-31T12:00:00.000Z");

/** An operation that authorizes, parses and audits as this one does, and returns this data. */
export function returning<O extends Operation>(
  operation: O,
  data: (call: Call, input: z.output<O["input"]>) => z.output<O["output"]>,
): O {
  const run = async (_ports: Ports, call: Call, input: unknown) => ({
    data: data(call, input as z.output<O["input"]>),
  });
  return { ...operation, execute: defineOperation({ ...operation, run }).execute };
}

/** Ports that find and store nothing. Tests replace the ports that they need. */
export function fakePorts(replaced: Partial<Ports> = {}) {
  const observed: unknown[][] = [];
  const used: string[] = [];
  const ports: Ports = {
    ...emptyAdmin(),
    ...emptyRecords(),
    ...emptyFiles(),
    ...emptyWebhooks(),
    environment: "test",
    database: emptyDatabase(used),
    leaseSeconds: 30,
    cache: noLookupCache,
    keySet: deriveKeys(secrets),
    personalDataKeys: async () => derivePersonalDataKeys(secrets),
    users: { find: async () => null, has: async () => false },
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
  return { ports, observed, used };
}

function emptyRecords(): Pick<
  Ports,
  "kycRecords" | "evidence" | "evidenceRenderer" | "readServiceStatus" | "provider" | "providerSlots"
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
      countWaiting: async () => [],
      pruneKeys: async () => 0,
      latest: async () => null,
      history: async () => null,
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

function emptyFiles(): Pick<Ports, "inspector" | "blobs" | "files" | "fileUrls"> {
  return {
    blobs: {
      create: async () => true,
      put: async () => {},
      get: async () => null,
      delete: async () => {},
      async *list() {},
    },
    inspector: { inspect: async (bytes) => ({ contentType: "image/jpeg", bytes }) },
    files: {
      keep: async (_platformId, { fileId, contentType }) => ({ fileId, contentType, expiresAt: at }),
      keptBy: async () => null,
      check: async () => [],
      read: async () => null,
      platformOf: async () => null,
      sweep: async () => 0,
    },
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
