import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import {
  type Actor,
  type Audit,
  type AuditSeal,
  afterRejection,
  type ClaimRequest,
  type KycRecords,
  type KycSubmission,
  type KycVerdict,
} from "@cardbridge/domain";
import { afterAll, inject } from "vitest";
import { withConnection } from "../../src/connect.ts";
import {
  auditRepository,
  type Database,
  deriveKeys,
  kycRecordsRepository,
  openDatabase,
  parseKeyRing,
  putPlatform,
} from "../../src/index.ts";
import { createTestDatabase, type TestDatabase } from "../../src/testing/index.ts";

/** Keys whose ring has these versions, the first of them in use; a version is the same key every time. */
export const keysOf = (...versions: number[]) =>
  deriveKeys({
    ring: parseKeyRing(
      versions.map((version) => `${version}:${Buffer.alloc(32, version).toString("base64")}`).join(","),
    ),
    fingerprintKey: "a-secret-for-fingerprints-in-tests",
  });

/** The keys of tests that care for no other. */
export const keys = keysOf(1);

export interface World {
  database: Database;
  kyc: KycRecords;
  audit: Audit;
  urls: TestDatabase;
  /** Makes a platform and returns its id. */
  platform(): Promise<string>;
  /** Seals all entries of a platform, so many under each seal. */
  sealAll(platformId: string, most?: number): Promise<AuditSeal[]>;
}

interface Options {
  maxConnections?: number;
  /** When the world ends: with the test file, or for one test with `onTestFinished`. */
  until?: (end: () => Promise<void>) => void;
}

/** A migrated database of its own. */
export async function makeWorld({ until = afterAll, ...options }: Options = {}): Promise<World> {
  const urls = await createTestDatabase(inject("server"));
  const database = openDatabase({ url: urls.serviceUrl, onError: () => {}, ...options });
  until(async () => {
    await database.close();
    await urls.drop();
  });
  const audit = auditRepository(database, keys);
  return {
    database,
    urls,
    kyc: kycRecordsRepository(database, { keys }),
    audit,
    async platform() {
      const id = `plt_${randomUUID()}`;
      await putPlatform(urls.ownerUrl, { id, name: "A platform" });
      return id;
    },
    async sealAll(platformId, most = 1_000) {
      // Transactions of other tests, which share the server, hold the sealing up for a moment.
      while (await areUnsettled(urls, platformId)) await wait(5);
      const seals: AuditSeal[] = [];
      for (let seal = await audit.seal(platformId, most); seal; seal = await audit.seal(platformId, most)) {
        seals.push(seal);
      }
      return seals;
    },
  };
}

/** Whether a transaction under way could still get in front of one of the platform's entries. */
function areUnsettled({ adminUrl }: TestDatabase, platformId: string): Promise<boolean> {
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

/** Who acts in tests. */
export const aCaller: Actor = { actor: "key_1", requestId: "req_1", address: "192.0.2.1" };

/** A claim with ids of its own, under the default policy. */
export function aClaim(changes: Partial<KycSubmission> = {}): ClaimRequest {
  return {
    submission: aSubmission(changes),
    files: [],
    by: aCaller,
    externalUserId: `usr_${randomUUID()}`,
    kycRecordId: `kyc_${randomUUID()}`,
    decide: afterRejection.decide,
  };
}

export const answered = (
  subStatus: string,
  cardAccountId: string | null = null,
  revision = 1,
): KycVerdict => ({ outcome: "answered", subStatus, cardAccountId, revision });
