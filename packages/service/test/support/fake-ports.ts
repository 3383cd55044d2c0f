import { Failure, noTracer } from "@cardbridge/domain";
import type { SQL } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import type { z } from "zod";
import { noLookupCache } from "../../src/database/lookup-cache.ts";
import type { Tx } from "../../src/database/statements.ts";
import type { Database } from "../../src/database.ts";
import { parseKeyRing } from "../../src/encryption/key-ring.ts";
import { deriveKeys, derivePersonalDataKeys } from "../../src/encryption/keys.ts";
import type { Call, Operation, Ports } from "../../src/index.ts";
import { defineOperation } from "../../src/operation/define.ts";

const secrets = {
  ring: parseKeyRing(`1:${Buffer.alloc(32, 1).toString("base64")}`),
  fingerprintKey: "a-secret-for-fingerprints-in-tests",
};

const dialect = new PgDialect();

/** A database whose functions return the count or the rows that `answer` gives for the text of a statement and its parameters. */
export function countingDatabase(
  database: Database,
  answer: (text: string, params: readonly unknown[]) => number | object[] | Promise<number>,
): Database {
  const execute = async (statement: SQL) => {
    const { sql, params } = dialect.sqlToQuery(statement);
    // The log of erasures has no entry to store.
    if (sql.includes("list_unstored_erasures")) return { rows: [] };
    const answered = await answer(sql, params);
    return { rows: typeof answered === "number" ? [{ count: answered }] : answered };
  };
  return {
    ...database,
    asPlatform: async () => undefined as never,
    withoutPlatform: (work) => work({ execute } as unknown as Tx),
  };
}

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
    callSeconds: 10,
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
      documentRequestId: () => "dreq_new",
      openingId: () => "open_new",
      proposalId: () => "prop_new",
      pauseId: () => "pause_new",
      blobName: () => "blob_new",
    },
    tracer: noTracer,
    observer: { observe: (...event) => void observed.push(event) },
    auditArchive: { open: async () => Promise.reject(new Failure("INVALID_INPUT")) },
    changeTables: async () => Promise.reject(new Failure("SERVICE_UNAVAILABLE")),
    ...replaced,
  };
  return { ports, observed, used };
}

function emptyRecords(): Pick<
  Ports,
  "kycRecords" | "evidenceRenderer" | "serviceState" | "provider" | "providerSlots"
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
      current: async () => null,
      history: async () => null,
    },
    evidenceRenderer: { render: async () => Promise.reject(new Failure("SERVICE_UNAVAILABLE")) },
    serviceState: () => ({
      environment: "test",
      version: "0.0.0",
      commit: null,
      fourEyes: true,
      provider: { name: "cardbridge", breakers: {}, capabilities: { files: "", fields: [] } },
      limits: [],
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

function emptyFiles(): Pick<Ports, "inspector" | "files" | "blobs" | "fileUrls"> {
  return {
    inspector: { inspect: async (bytes) => ({ contentType: "image/jpeg", bytes }) },
    files: {
      keep: async (_platformId, { fileId, contentType }) => ({ fileId, contentType, expiresAt: at }),
      check: async () => [],
      read: async () => null,
      locate: async () => null,
    },
    blobs: {
      create: async () => true,
      list: async function* () {},
      put: async () => {},
      get: async () => null,
      addressOf: async () => ({ url: "file:///none", authorities: [] }),
      delete: async () => {},
    },
    fileUrls: {
      urlOf: (fileId) => `https://files.example.com/${fileId}`,
      fileIdOf: () => undefined,
      signed: (url) => url,
      uploadUrl: () => ({ url: "https://files.example.com/upload", expiresAt: at }),
    },
  };
}

function emptyAdmin(): Pick<Ports, "generateKey"> {
  return {
    generateKey: () => ({ key: "cb_live_key", prefix: "cb_live_k", hash: Buffer.alloc(32) }),
  };
}

function emptyWebhooks(): Pick<Ports, "webhookDeliveries" | "webhookSender" | "generateWebhookSecret"> {
  return {
    webhookDeliveries: {
      leaseDue: async () => [],
      findInactive: async () => [],
      load: async () => null,
      record: async () => ({ disabled: false }),
      release: async () => {},
    },
    webhookSender: {
      send: async () => ({ outcome: { kind: "undelivered", reason: "connection-refused" }, milliseconds: 1 }),
    },
    generateWebhookSecret: () => "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
  };
}
