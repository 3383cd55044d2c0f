import { describe, expect, onTestFinished, test } from "vitest";
import { withConnection } from "../../src/connect.ts";
import {
  type Database,
  encryptionKeysRepository,
  filesRepository,
  type KeySet,
  keyProblems,
  kycRecordsRepository,
  webhookDeliveriesRepository,
  webhookEndpointsRepository,
} from "../../src/index.ts";
import { aFile, memoryBlobs } from "../support/a-file.ts";
import { reader } from "../support/rows.ts";
import { anySlots, failed } from "../support/webhooks.ts";
import { answered, aRequest, keysOf, makeWorld } from "../support/world.ts";

const before = keysOf(1);
const during = keysOf(2, 1);
const after = keysOf(2);

const someone = (number: number) => ({ memberId: `member-${number}`, email: `user-${number}@example.com` });

/** Creates two platforms with five users each, all under version 1. */
async function usedWorld() {
  const world = await makeWorld({ maxConnections: 10, until: onTestFinished });
  const platforms = [await world.platform(), await world.platform()];
  for (const platformId of platforms) {
    for (let number = 0; number < 5; number += 1)
      await world.kyc.createOrReplay(platformId, aRequest(someone(number)));
  }
  const versions = async () =>
    (await reader(world.urls.adminUrl).all("users")).map(({ key_version }) => key_version);
  return { ...world, platforms, versions };
}

/** Rewraps batch by batch until no user is left. */
async function rewrapAll(database: Database, keys: KeySet, limit = 100) {
  const { rewrap } = encryptionKeysRepository(database, keys);
  const total = { batches: [] as number[], rewrapped: 0, failed: 0 };
  let after = "";
  while (true) {
    const batch = await rewrap({ after, limit });
    total.batches.push(batch.rewrapped);
    total.rewrapped += batch.rewrapped;
    total.failed += batch.failed;
    if (batch.next === null) return total;
    after = batch.next;
  }
}

describe("rotating the key ring", () => {
  test("rewraps the data keys of every platform in batches, and leaves the encrypted data unchanged", async () => {
    const { database, urls, platforms, versions, kyc } = await usedWorld();
    const encrypted = async () =>
      (await reader(urls.adminUrl).all("users")).map((row) => [row.id, String(row.encrypted)]);
    const unchanged = await encrypted();
    expect(await encryptionKeysRepository(database, during).status()).toEqual([
      { version: 1, users: 10, files: 0, webhookEndpoints: 0, persons: 0, inRing: true, current: false },
      { version: 2, users: 0, files: 0, webhookEndpoints: 0, persons: 0, inRing: true, current: true },
    ]);
    expect(await rewrapAll(database, during, 4)).toEqual({ batches: [4, 4, 2], rewrapped: 10, failed: 0 });
    expect(await versions()).toEqual(Array(10).fill(2));
    expect(await encrypted()).toEqual(unchanged);
    expect(await rewrapAll(database, during, 4)).toEqual({ batches: [0], rewrapped: 0, failed: 0 });

    // Version 1 may be removed: users are found, and submissions are decrypted.
    const rotated = kycRecordsRepository(database, { keys: after });
    const [platformId = ""] = platforms;
    const record = await rotated.latest(platformId, { memberId: "member-3" });
    if (!record) throw new Error("no record");
    await rotated.reschedule(platformId, record, { step: "send", notFound: 2, delayMs: 0 });
    expect(await rotated.loadAttempt(platformId, record)).toMatchObject({ submission: someone(3) });
    await expect(kyc.loadAttempt(platformId, record)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  });

  test("returns where the next batch starts, and null when no user is left", async () => {
    const { database, urls, versions } = await usedWorld();
    const ids = (await reader(urls.adminUrl).all("users")).map(({ id }) => String(id)).sort();
    const { rewrap } = encryptionKeysRepository(database, during);
    const batch = (after: string, limit: number) => rewrap({ after, limit });
    const whole = { version: 2, failed: 0 };
    expect(await batch("", 3)).toEqual({ ...whole, rewrapped: 3, next: `users:${ids[2]}` });
    expect((await versions()).filter((version) => version === 2)).toHaveLength(3);
    expect(await batch(`users:${ids[5]}`, 4)).toEqual({ ...whole, rewrapped: 4, next: null });
    expect(await batch(`users:${ids[2]}`, 2)).toEqual({ ...whole, rewrapped: 2, next: `users:${ids[4]}` });
    // A run that restarts from the beginning rewraps the remaining keys.
    expect(await batch("", 100)).toEqual({ ...whole, rewrapped: 1, next: null });
    expect(await versions()).toEqual(Array(10).fill(2));
    expect(await batch("", 100)).toEqual({ ...whole, rewrapped: 0, next: null });
  });

  test("counts and skips a key that cannot be unwrapped, and rewraps the other keys", async () => {
    const { database, urls, versions } = await usedWorld();
    await withConnection(urls.adminUrl, (client) =>
      client.query(`update users set data_key = set_byte(data_key, 30, get_byte(data_key, 30) # 1)
        where id in (select id from users order by id limit 2)`),
    );
    expect(await rewrapAll(database, during, 1)).toMatchObject({ rewrapped: 8, failed: 2 });
    expect((await versions()).filter((version) => version === 1)).toHaveLength(2);
  });

  test("is rejected with wrong keys", async () => {
    const { database, versions } = await usedWorld();
    await expect(rewrapAll(database, after)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    expect(await versions()).toEqual(Array(10).fill(1));
  });

  test("does not disturb submissions, with the old or the new order of the ring", async () => {
    const { database, platforms, urls } = await usedWorld();
    const [platformId = ""] = platforms;
    const services = [keysOf(1, 2), during].map((keys) => kycRecordsRepository(database, { keys }));
    let rotating = true;
    const submitting = services.map(async (kyc, service) => {
      let made = 0;
      for (let round = 0; rotating || round < 5; round += 1) {
        for (let number = 0; number < 5; number += 1) {
          // Users that both services share, and a user that each service creates.
          const known = someone(number);
          const latest = await kyc.latest(platformId, known);
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
    for (let run = 0; run < 10; run += 1) await rewrapAll(database, during, 2);
    rotating = false;
    const made = await Promise.all(submitting);
    expect(made.reduce((sum, count) => sum + count)).toBeGreaterThan(0);
    await rewrapAll(database, during);

    const kyc = kycRecordsRepository(database, { keys: after });
    const records = await reader(urls.adminUrl).rowsOf("kyc_records", platformId);
    expect(records.length).toBeGreaterThan(10);
    for (const { id, attempt } of records as { id: string; attempt: number }[]) {
      await withConnection(urls.adminUrl, (client) =>
        client.query(
          "update kyc_records set step = 'send', resolution = 'unresolved', due_at = now() where id = $1",
          [id],
        ),
      );
      expect(await kyc.loadAttempt(platformId, { kycRecordId: id, attempt })).toHaveProperty(
        "submission.email",
      );
    }
  });

  test("rewraps the keys of unused files; used files follow their user", async () => {
    const { database, platforms, kyc } = await usedWorld();
    const [platformId = ""] = platforms;
    const { blobs } = memoryBlobs();
    const used = aFile();
    const unused = Array.from({ length: 4 }, () => aFile());
    for (const file of [used, ...unused])
      await filesRepository(database, before, blobs).keep(platformId, file);
    const { record } = await kyc.createOrReplay(platformId, {
      ...aRequest(someone(100)),
      files: [{ fileId: used.fileId, purpose: used.purpose, path: [] }],
    });
    expect(record.attempt).toBe(1);
    const { status } = encryptionKeysRepository(database, during);
    expect((await status())[0]).toMatchObject({ version: 1, users: 11, files: 4 });
    expect(await rewrapAll(database, during, 3)).toEqual({
      batches: [3, 3, 3, 3, 3],
      rewrapped: 15,
      failed: 0,
    });
    expect((await status())[0]).toMatchObject({ version: 1, users: 0, files: 0 });

    expect(await keyProblems(database, after)).toEqual([]);
    const files = filesRepository(database, after, blobs);
    for (const { fileId, bytes } of [used, ...unused])
      expect(await files.read(platformId, fileId)).toMatchObject({ bytes });
    // A second upload of the same bytes is a separate file, under the current version.
    const again = { ...aFile(), bytes: used.bytes };
    await files.keep(platformId, again);
    expect(await files.read(platformId, again.fileId)).toMatchObject({ bytes: used.bytes });
  });

  test("reports a missing version that only an unused file needs", async () => {
    const { database, platforms, urls } = await usedWorld();
    const [platformId = ""] = platforms;
    await rewrapAll(database, during);
    await filesRepository(database, keysOf(1, 2), memoryBlobs().blobs).keep(platformId, aFile());
    expect((await encryptionKeysRepository(database, during).status())[0]).toMatchObject({
      users: 0,
      files: 1,
    });
    expect(await keyProblems(database, after)).toEqual([
      "KEY_RING version 1 is missing, but wraps keys of users, files or webhook endpoints.",
    ]);
    await withConnection(urls.adminUrl, (client) => client.query("delete from files"));
    expect(await keyProblems(database, after)).toEqual([]);
  });

  test("rewraps the keys of webhook endpoints, with their secrets and responses; deleted endpoints have no key", async () => {
    const { database, platforms, kyc } = await usedWorld();
    const [platformId = ""] = platforms;
    const endpoint = { platformId, endpointId: `whe_${"1".repeat(26)}` };
    const deleted = { platformId, endpointId: `whe_${"2".repeat(26)}` };
    const old = webhookEndpointsRepository(database, before);
    for (const { endpointId } of [endpoint, deleted]) {
      const given = {
        endpointId,
        url: "https://receiver.example.com/",
        eventTypes: ["kyc.updated"] as const,
      };
      await old.create(platformId, { ...given, description: null, secret: "whsec_AAAA" });
    }
    await old.delete(platformId, deleted.endpointId);
    await kyc.createOrReplay(platformId, aRequest(someone(200)));
    const deliveriesBefore = webhookDeliveriesRepository(database, { keys: before, environment: "test" });
    const [due] = await deliveriesBefore.leaseDue(anySlots);
    if (!due) throw new Error("nothing is due");
    await deliveriesBefore.record(due, failed({ kind: "failed" }));

    const { status } = encryptionKeysRepository(database, during);
    expect((await status())[0]).toMatchObject({ version: 1, users: 11, webhookEndpoints: 1 });
    expect(await rewrapAll(database, during, 11)).toEqual({ batches: [11, 1], rewrapped: 12, failed: 0 });
    expect((await status())[0]).toMatchObject({ version: 1, users: 0, webhookEndpoints: 0 });

    expect(await keyProblems(database, after)).toEqual([]);
    const endpoints = webhookEndpointsRepository(database, after);
    const deliveries = webhookDeliveriesRepository(database, { keys: after, environment: "test" });
    const shown = await endpoints.delivery(platformId, endpoint.endpointId, due.deliveryId);
    expect(shown?.history).toMatchObject([{ excerpt: "no" }]);
    await endpoints.redeliver(platformId, endpoint.endpointId, due.deliveryId);
    const [again] = await deliveries.leaseDue(anySlots);
    const loaded = again && (await deliveries.load(again));
    expect(loaded).toMatchObject({ url: "https://receiver.example.com/", secrets: ["whsec_AAAA"] });
  });

  test("reports a missing version that only a webhook endpoint needs", async () => {
    const { database, platforms, urls } = await usedWorld();
    const [platformId = ""] = platforms;
    await rewrapAll(database, during);
    const given = {
      endpointId: `whe_${"1".repeat(26)}`,
      url: "https://receiver.example.com/",
      description: null,
    };
    const old = webhookEndpointsRepository(database, keysOf(1, 2));
    await old.create(platformId, { ...given, eventTypes: ["kyc.updated"], secret: "whsec_AAAA" });
    expect(await keyProblems(database, after)).toEqual([
      "KEY_RING version 1 is missing, but wraps keys of users, files or webhook endpoints.",
    ]);
    await withConnection(urls.adminUrl, (client) => client.query("delete from webhook_endpoints"));
    expect(await keyProblems(database, after)).toEqual([]);
  });

  test("counts users under an old version, whether or not the ring has it", async () => {
    const { database } = await usedWorld();
    expect(await encryptionKeysRepository(database, after).status()).toEqual([
      { version: 1, users: 10, files: 0, webhookEndpoints: 0, persons: 0, inRing: false, current: false },
      { version: 2, users: 0, files: 0, webhookEndpoints: 0, persons: 0, inRing: true, current: true },
    ]);
    expect(await encryptionKeysRepository(database, before).status()).toEqual([
      { version: 1, users: 10, files: 0, webhookEndpoints: 0, persons: 0, inRing: true, current: true },
    ]);
  });
});
