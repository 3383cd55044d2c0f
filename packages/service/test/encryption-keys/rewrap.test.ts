import { describe, expect, onTestFinished, test } from "vitest";
import {
  type KeySet,
  keyProblems,
  kycRecordsRepository,
  webhookDeliveriesRepository,
} from "../../src/database.ts";
import type { Ports } from "../../src/index.ts";
import { aFile, filesWith, memoryBlobs } from "../support/a-file.ts";
import { keyRingOf, withKeys } from "../support/key-ring.ts";
import { anySlots, endpointsOf, failed, newEndpointId } from "../support/webhooks.ts";
import { answered, aRequest, keysOf, makeWorld, someone } from "../support/world.ts";

const before = keysOf(1);
const during = keysOf(2, 1);
const after = keysOf(2);
const missing = ["KEY_RING version 1 is missing, but wraps keys of users, files or webhook endpoints."];

/** Creates two platforms with five users each, all under version 1. */
async function usedWorld() {
  const world = await makeWorld({ maxConnections: 10, until: onTestFinished });
  const [platformId, other] = [await world.platform(), await world.platform()];
  for (const of of [platformId, other])
    for (let number = 0; number < 5; number += 1) await world.submitted(someone(number), of);
  const versions = async () => (await world.all("users")).map(({ key_version }) => key_version);
  return { ...world, platformId, versions };
}

const statusOf = (ports: Ports, keys: KeySet) => keyRingOf(ports, keys).status();
const unused = { users: 0, files: 0, webhookEndpoints: 0, persons: 0, removable: false };

/** Rewraps batch by batch until no key is left. */
async function rewrapAll(ports: Ports, keys: KeySet, limit = 100) {
  const { rewrap } = keyRingOf(ports, keys);
  const total = { batches: [] as number[], failed: 0 };
  let after = "";
  while (true) {
    const batch = await rewrap({ after, limit });
    total.batches.push(batch.rewrapped);
    total.failed += batch.failed;
    if (batch.next === null) return total;
    after = batch.next;
  }
}

async function createEndpoint(ports: Ports, platformId: string, keys: KeySet): Promise<string> {
  const endpointId = newEndpointId();
  const url = "https://receiver.example.com/";
  const details = { url, eventTypes: ["kyc.updated" as const], description: null, secret: "whsec_AAAA" };
  await endpointsOf(withKeys(ports, keys)).create(platformId, { endpointId, ...details });
  return endpointId;
}

describe("rotating the key ring", () => {
  test("rewraps the data keys of every platform in batches, and leaves the encrypted data unchanged", async () => {
    const { all, database, kyc, platformId, ports, versions } = await usedWorld();
    const encrypted = async () => (await all("users")).map((row) => [row.id, String(row.encrypted)]);
    const unchanged = await encrypted();
    const [old, current] = [
      { version: 1, inRing: true, current: false },
      { version: 2, inRing: true },
    ];
    expect(await statusOf(ports, during)).toEqual([
      { ...unused, ...old, users: 10 },
      { ...unused, ...current, current: true },
    ]);
    expect(await statusOf(ports, after)).toMatchObject([{ users: 10, inRing: false }, { version: 2 }]);
    expect(await statusOf(ports, before)).toEqual([{ ...unused, ...old, users: 10, current: true }]);
    expect(await rewrapAll(ports, during, 4)).toEqual({ batches: [4, 4, 2], failed: 0 });
    expect(await versions()).toEqual(Array(10).fill(2));
    expect(await encrypted()).toEqual(unchanged);
    expect(await rewrapAll(ports, during, 4)).toEqual({ batches: [0], failed: 0 });
    expect(await statusOf(ports, during)).toEqual([
      { ...unused, ...old, removable: true },
      { ...unused, ...current, current: true, users: 10 },
    ]);

    // Version 1 may be removed: users are found, and submissions are decrypted.
    const rotated = kycRecordsRepository(database, { keys: after });
    const { memberId, email } = someone(3);
    const record = await rotated.current(platformId, { memberId });
    if (!record) throw new Error("no record");
    await rotated.reschedule(platformId, record, { step: "send", notFound: 2, delayMs: 0 });
    const submission = { memberId, email };
    expect(await rotated.loadAttempt(platformId, record)).toMatchObject({ submission });
    await expect(kyc.loadAttempt(platformId, record)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  });

  test("returns where the next batch starts, and null when no user is left", async () => {
    const { all, ports, versions } = await usedWorld();
    const ids = (await all("users")).map(({ id }) => String(id)).sort();
    const { rewrap } = keyRingOf(ports, during);
    const batch = (after: string, limit: number) => rewrap({ after, limit });
    const whole = { version: 2, failed: 0 };
    expect(await batch("", 3)).toEqual({ ...whole, rewrapped: 3, next: `users:${ids[2]}` });
    expect((await versions()).filter((version) => version === 2)).toHaveLength(3);
    expect(await batch(`users:${ids[5]}`, 4)).toEqual({ ...whole, rewrapped: 4, next: null });
    expect(await batch(`users:${ids[2]}`, 2)).toEqual({ ...whole, rewrapped: 2, next: `users:${ids[4]}` });
    // A run that restarts from the beginning rewraps the remaining keys.
    expect(await batch("", 100)).toEqual({ ...whole, rewrapped: 1, next: null });
    expect(await versions()).toEqual(Array(10).fill(2));
  });

  test("counts and skips a key that cannot be unwrapped, rewraps the other keys, and is rejected with wrong keys", async () => {
    const { admin, ports, versions } = await usedWorld();
    await expect(rewrapAll(ports, after)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    expect(await versions()).toEqual(Array(10).fill(1));
    await admin(`update users set data_key = set_byte(data_key, 30, get_byte(data_key, 30) # 1)
      where id in (select id from users order by id limit 2)`);
    const { batches, failed } = await rewrapAll(ports, during, 1);
    expect([batches.reduce((sum, count) => sum + count), failed]).toEqual([8, 2]);
    expect((await versions()).filter((version) => version === 1)).toHaveLength(2);
  });

  test("does not disturb submissions, with the old or the new order of the ring", async () => {
    const { database, platformId, ports, rowsOf, set } = await usedWorld();
    const services = [keysOf(1, 2), during].map((keys) => kycRecordsRepository(database, { keys }));
    let rotating = true;
    const submitting = services.map(async (kyc, service) => {
      let made = 0;
      for (let round = 0; rotating || round < 5; round += 1) {
        for (let number = 0; number < 5; number += 1) {
          // Users that both services share, and a user that each service creates.
          const known = someone(number);
          const latest = await kyc.current(platformId, known);
          if (latest) await kyc.storeVerdict(platformId, latest, answered("rejected", null, round));
          const changes = { ...known, occupation: `Job ${service} ${round}` };
          const outcome = await kyc.createOrReplay(platformId, aRequest(changes)).catch(({ code }) => code);
          if (typeof outcome === "string") expect(outcome).toBe("KYC_ALREADY_SUBMITTED");
          else made += 1;
        }
        await kyc.createOrReplay(platformId, aRequest(someone(1_000 * (service + 1) + round)));
      }
      return made;
    });
    for (let run = 0; run < 10; run += 1) await rewrapAll(ports, during, 2);
    rotating = false;
    const made = await Promise.all(submitting);
    expect(made.reduce((sum, count) => sum + count)).toBeGreaterThan(0);
    await rewrapAll(ports, during);

    const kyc = kycRecordsRepository(database, { keys: after });
    const records = (await rowsOf("kyc_records", platformId)) as { id: string; attempt: number }[];
    expect(records.length).toBeGreaterThan(10);
    for (const { id: kycRecordId, attempt } of records) {
      await set(kycRecordId, "step = 'send', resolution = 'unresolved', due_at = now()");
      const loaded = await kyc.loadAttempt(platformId, { kycRecordId, attempt });
      expect(loaded).toHaveProperty("submission.email");
    }
  });

  test("rewraps the keys of unused files; used files follow their user", async () => {
    const { database, kyc, platformId, ports } = await usedWorld();
    const { blobs } = memoryBlobs();
    const used = aFile();
    const uploads = Array.from({ length: 4 }, () => aFile());
    for (const file of [used, ...uploads]) await filesWith(database, before, blobs).keep(platformId, file);
    const uses = [{ fileId: used.fileId, purpose: used.purpose, path: [] }];
    await kyc.createOrReplay(platformId, { ...aRequest(someone(100)), files: uses });
    expect((await statusOf(ports, during))[0]).toMatchObject({ version: 1, users: 11, files: 4 });
    expect(await rewrapAll(ports, during, 3)).toEqual({ batches: [3, 3, 3, 3, 3], failed: 0 });
    expect((await statusOf(ports, during))[0]).toMatchObject({ version: 1, users: 0, files: 0 });

    expect(await keyProblems(database, after)).toEqual([]);
    const files = filesWith(database, after, blobs);
    // A second upload of the same bytes is a separate file, under the current version.
    const again = { ...aFile(), bytes: used.bytes };
    await files.keep(platformId, again);
    for (const { fileId, bytes } of [used, ...uploads, again])
      expect(await files.read(platformId, fileId)).toMatchObject({ bytes });
  });

  test("rewraps the keys of webhook endpoints, with their secrets and responses; deleted endpoints have no key", async () => {
    const { database, platformId, ports, submitted } = await usedWorld();
    const endpointId = await createEndpoint(ports, platformId, before);
    const deleted = await createEndpoint(ports, platformId, before);
    await endpointsOf(withKeys(ports, before)).delete(platformId, deleted);
    await submitted(someone(200), platformId);
    const deliveriesWith = (keys: KeySet) =>
      webhookDeliveriesRepository(database, { keys, environment: "test" });
    const [due] = await deliveriesWith(before).leaseDue(anySlots);
    if (!due) throw new Error("nothing is due");
    await deliveriesWith(before).record(due, failed({ kind: "failed" }));

    const old = { version: 1, users: 11, webhookEndpoints: 1 };
    expect((await statusOf(ports, during))[0]).toMatchObject(old);
    expect(await rewrapAll(ports, during, 11)).toEqual({ batches: [11, 1], failed: 0 });
    expect((await statusOf(ports, during))[0]).toMatchObject({ ...old, users: 0, webhookEndpoints: 0 });

    expect(await keyProblems(database, after)).toEqual([]);
    const endpoints = endpointsOf(withKeys(ports, after));
    const shown = await endpoints.delivery(platformId, endpointId, due.deliveryId);
    expect(shown?.history).toMatchObject([{ excerpt: "no" }]);
    await endpoints.redeliver(platformId, endpointId, due.deliveryId);
    const [again] = await deliveriesWith(after).leaseDue(anySlots);
    const loaded = again && (await deliveriesWith(after).load(again));
    expect(loaded).toMatchObject({ url: "https://receiver.example.com/", secrets: ["whsec_AAAA"] });
  });

  test("reports a missing version that only an unused file or a webhook endpoint needs", async () => {
    const { admin, database, platformId, ports } = await usedWorld();
    await rewrapAll(ports, during);
    await filesWith(database, keysOf(1, 2), memoryBlobs().blobs).keep(platformId, aFile());
    expect((await statusOf(ports, during))[0]).toMatchObject({ users: 0, files: 1 });
    expect(await keyProblems(database, after)).toEqual(missing);
    await admin("delete from files");
    expect(await keyProblems(database, after)).toEqual([]);
    await createEndpoint(ports, platformId, keysOf(1, 2));
    expect(await keyProblems(database, after)).toEqual(missing);
  });
});
