import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import {
  type AuditOrigin,
  type AuditVerified,
  afterRejection,
  type CheckpointReference,
  defaultPolicies,
  firstCheck,
  type KycRecord,
  type KycRecords,
  type KycSubmission,
  type OrderedVerdict,
  type RecordRequest,
  type Users,
} from "@cardbridge/domain";
import { afterAll, expect, inject } from "vitest";
import type { AuditCheckpoint } from "../../src/audit/checkpoint.ts";
import { withConnection } from "../../src/database/connect.ts";
import {
  type Database,
  deriveKeys,
  filesRepository,
  identifyPersons,
  kycRecordsRepository,
  noLookupCache,
  parseKeyRing,
  putPlatform,
  userLookup,
} from "../../src/database.ts";
import { derivePersonalDataKeys } from "../../src/encryption/keys.ts";
import { createVerifiedKeys } from "../../src/encryption/verified-keys.ts";
import type { Ids, Ports } from "../../src/index.ts";
import type { NamePorts } from "../../src/persons/names.ts";
import { createTestDatabase, type TestDatabase } from "../../src/testing/index.ts";
import { memoryBlobs } from "./a-file.ts";
import { auditing, auditReading, type WorldAudit } from "./auditing.ts";
import { fakePorts } from "./fake-ports.ts";
import { holding } from "./holding.ts";
import { managing } from "./managing.ts";
import { openDatabase } from "./open-database.ts";
import { recording } from "./recording.ts";
import { rowsAsAdmin } from "./rows.ts";

/** Secrets whose ring has these versions, the first of them current. A version always has the same key. */
export const secretsOf = (...versions: number[]) => ({
  ring: parseKeyRing(
    versions.map((version) => `${version}:${Buffer.alloc(32, version).toString("base64")}`).join(","),
  ),
  fingerprintKey: "a-secret-for-fingerprints-in-tests",
});

export const keysOf = (...versions: number[]) => deriveKeys(secretsOf(...versions));

/** For tests of the cryptography alone, without a database that confirms the keys. */
export const personalDataKeysOf = (...versions: number[]) => derivePersonalDataKeys(secretsOf(...versions));

/** The default keys of tests. */
export const keys = keysOf(1);

type Managed = ReturnType<typeof managing>;

/** A database, the repositories on it with the default keys, and its rows. */
export interface World extends ReturnType<typeof rowsAsAdmin> {
  adminUrl: string;
  database: Database;
  kyc: KycRecords;
  /** What operators do with records. */
  records: ReturnType<typeof recording>;
  users: Users & Pick<Managed, "changeEmail">;
  userAdmin: Managed["userAdmin"];
  /** The ports of operations on this database. Fakes stand for what is outside of it. */
  ports: Ports;
  /** What reading the names of persons needs. */
  names: NamePorts;
  /** Their log is in memory. */
  erasures: Managed["erasures"];
  /** Entries are appended, listed and verified as operations do it. */
  audit: WorldAudit;
  /** Legal holds, placed, lifted and listed by the operations; null where there is no such user, record or hold. */
  holds: ReturnType<typeof holding>;
  /** Stores a person, and returns the id. */
  person(details?: { personId?: string; name?: string | null }): Promise<string>;
  urls: TestDatabase;
  /** Creates a platform and returns its id. */
  platform(): Promise<string>;
  /** Submits a record, on a new platform by default. Its first attempt is under way. */
  submitted(changes?: Partial<KycSubmission>, platformId?: string): Promise<Submitted>;
  /** Creates checkpoints of all entries of a platform, with up to `limit` entries each. */
  checkpointAll(platformId: string, limit?: number): Promise<AuditCheckpoint[]>;
}

/** Ids that no other test has. */
const randomIds = new Proxy({} as Ids, {
  get: (_ids, name) => () => `${String(name).replace(/Id$/, "").toLowerCase()}_${randomUUID()}`,
});

export interface Submitted {
  platformId: string;
  record: KycRecord;
  kycRecordId: string;
  externalUserId: string;
  /** How the provider names the record. */
  about: { reference: string; userReference: string };
}

interface Options {
  maxConnections?: number;
  /** Registers the clean-up: after the test file by default, or after one test with `onTestFinished`. */
  until?: (end: () => Promise<void>) => void;
}

/** Creates a migrated database and the repositories on it. */
export async function makeWorld({ until = afterAll, ...options }: Options = {}): Promise<World> {
  const urls = await createTestDatabase(inject("server"));
  // A burst of calls may wait for the pool's connections longer than the service's calls.
  const database = openDatabase({ url: urls.serviceUrl, onError: () => {}, connectMs: 60_000, ...options });
  until(async () => {
    await database.close();
    await urls.drop();
  });
  const names = { database, personalDataKeys: createVerifiedKeys(database, keys) };
  const kyc = kycRecordsRepository(database, { keys });
  async function platform() {
    const id = `plt_${randomUUID()}`;
    await putPlatform(urls.ownerUrl, { id, name: "A platform" });
    return id;
  }
  const users = userLookup({ ...names, cache: noLookupCache });
  const { blobs } = memoryBlobs();
  const { ports } = fakePorts({
    ...names,
    keySet: keys,
    ids: randomIds,
    kycRecords: kyc,
    users,
    blobs,
    files: filesRepository(names, blobs),
  });
  const audit = { ...auditing(database), ...auditReading(ports) };
  const identify = identifyPersons(ports);
  const { changeEmail, erasures, userAdmin } = managing(ports);
  return {
    ...rowsAsAdmin(urls.adminUrl),
    adminUrl: urls.adminUrl,
    database,
    names,
    ports,
    holds: holding(ports),
    async person({ personId = `per_${randomUUID()}`, name = "Ada" } = {}) {
      const seen = { issuer: "https://issuer.example.com", subject: personId, name, roles: [] };
      return (await identify({ ...seen, newPersonId: personId })).personId;
    },
    urls,
    kyc,
    records: recording(ports),
    users: { ...users, changeEmail },
    userAdmin,
    erasures,
    audit,
    platform,
    async submitted(changes = {}, platformId) {
      const of = platformId ?? (await platform());
      const { record } = await kyc.createOrReplay(of, aRequest(changes));
      const { kycRecordId, externalUserId } = record;
      const about = { reference: kycRecordId, userReference: externalUserId };
      return { platformId: of, record, kycRecordId, externalUserId, about };
    },
    async checkpointAll(platformId, limit = 1_000) {
      // Transactions of other tests on the shared server delay the checkpoints briefly.
      while (await areUnresolved(urls, platformId)) await wait(5);
      const checkpoints: AuditCheckpoint[] = [];
      for (
        let checkpoint = await audit.checkpoint(platformId, limit);
        checkpoint;
        checkpoint = await audit.checkpoint(platformId, limit)
      ) {
        checkpoints.push(checkpoint);
      }
      return checkpoints;
    },
  };
}

/** Whether a running transaction could still precede one of the platform's entries. */
function areUnresolved({ adminUrl }: TestDatabase, platformId: string): Promise<boolean> {
  return withConnection(adminUrl, async (client) => {
    const { rows } = await client.query(
      `select from audit_entries
       where platform_id = $1 and txid >= audit_txid(pg_snapshot_xmin(pg_current_snapshot()))`,
      [platformId],
    );
    return rows.length > 0;
  });
}

export function aSubmission(changes: Partial<KycSubmission> = {}): KycSubmission {
  return {
    email: "Ada@example.com",
    name: "Ada Lovelace",
    birthday: "1990-01-31",
    documentType: "passport",
    documentNumber: "P1234567",
    documentCountry: "HK",
    documentExpiryDate: "2031-05-01",
    frontImageUrl: "https://files.example.com/front.jpg",
    selfieImageUrl: "https://files.example.com/selfie.jpg",
    phoneCountryCode: "+852",
    phoneNumber: "81234567",
    gender: "female",
    annualIncome: "20000-50000",
    occupation: "Engineer",
    position: "Lead",
    nationality: "HK",
    contactAddress: "1 Queen's Road",
    memberId: "member-1",
    ...changes,
  };
}

/** The identifiers of another user than that of `aSubmission`. */
export const someone = (name: string | number) => ({
  memberId: `member-${name}`,
  email: `${name}@example.com`,
});

/** Verifies a whole chain batch by batch and sums up the batches. */
export async function verifyAll(
  audit: Pick<WorldAudit, "verify">,
  platformId: string,
  known?: CheckpointReference,
): Promise<Omit<AuditVerified, "next"> & { batches: number }> {
  const total = { checkpoints: 0, entries: 0, batches: 0, problems: [] as string[] };
  let last: AuditVerified["last"] = null;
  let anchor: AuditVerified["anchor"] | undefined;
  let after = 0;
  while (true) {
    const batch: AuditVerified = await audit.verify(platformId, { after, known });
    total.checkpoints += batch.checkpoints;
    total.entries += batch.entries;
    total.batches += 1;
    total.problems.push(...batch.problems);
    last = batch.last ?? last;
    anchor = anchor === undefined ? batch.anchor : anchor;
    if (batch.next === null) return { ...total, anchor, last, pending: batch.pending };
    expect(batch.pending).toBeNull();
    after = batch.next;
  }
}

/** The caller of operations in tests. */
export const aCaller: AuditOrigin = {
  actor: "key_1",
  requestId: "req_1",
  address: "192.0.2.1",
  operation: "kyc.submit",
};

/** A submission with unique ids, under the default policy. */
export function aRequest(changes: Partial<KycSubmission> = {}): RecordRequest {
  const submission = aSubmission(changes);
  return {
    submission,
    files: [],
    by: aCaller,
    externalUserId: `usr_${randomUUID()}`,
    kycRecordId: `kyc_${randomUUID()}`,
    decide: afterRejection.decide,
    renews: true,
    expiry: firstCheck(submission, new Date(), defaultPolicies.expiryNoticeDays),
  };
}

export const answered = (
  subStatus: string,
  cardAccountId: string | null = null,
  revision = 1,
): OrderedVerdict => ({ outcome: "answered", subStatus, cardAccountId, revision });
