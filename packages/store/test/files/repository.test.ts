import { Failure, type FilePurpose, type FileUse } from "@cardbridge/domain";
import { describe, expect, test } from "vitest";
import { withConnection } from "../../src/connect.ts";
import { encryptionKeysRepository, filesRepository, kycRecordsRepository } from "../../src/index.ts";
import { aFile, memoryBlobs } from "../support/a-file.ts";
import { testErasures } from "../support/erasures.ts";
import { answered, aRequest, keys, keysOf, makeWorld } from "../support/world.ts";

const world = await makeWorld({ maxConnections: 10 });
const { database, kyc, urls } = world;

const { blobs, kept, state } = memoryBlobs();
const files = filesRepository(database, keys, blobs);

const asAdmin = (text: string, values: unknown[] = []) =>
  withConnection(urls.adminUrl, (client) => client.query(text, values));
const rowOf = async (fileId: string) =>
  (await asAdmin("select * from files where id = $1", [fileId])).rows[0];
const expire = (fileId: string) =>
  asAdmin("update files set expires_at = clock_timestamp() - interval '1 second' where id = $1", [fileId]);

const useOf = (fileId: string, purpose: FilePurpose = "selfie"): FileUse => ({
  fileId,
  purpose,
  path: ["selfieImageUrl"],
});
const requestOf = (memberId: string, uses: FileUse[], changes = {}) => ({
  ...aRequest({ memberId, email: `${memberId}@example.com`, ...changes }),
  files: uses,
});
const rulesOf = (result: Promise<unknown>) =>
  result.then(
    () => "created",
    (error: Failure) => error.details.violations?.map(({ path, rule }) => [path, rule]),
  );

describe("keeping a file", () => {
  test("makes the bytes available to its platform only", async () => {
    const [platformId, other] = [await world.platform(), await world.platform()];
    const file = aFile();
    const { fileId } = file;
    const { expiresAt } = await files.keep(platformId, file);
    expect(expiresAt.getTime() - Date.now()).toBeGreaterThan(23.9 * 3_600_000);
    expect(await files.read(platformId, fileId)).toEqual({ contentType: "image/jpeg", bytes: file.bytes });
    expect(await files.read(other, fileId)).toBeNull();
    expect(await files.platformOf(fileId)).toBe(platformId);
    expect(await files.platformOf("file_nowhere")).toBeNull();
    expect(Buffer.from(kept.get(file.blobName) ?? []).includes("picture")).toBe(false);
  });

  test("stores equal uploads as separate files, so that two users may use the same document", async () => {
    const platformId = await world.platform();
    const copies = Array.from({ length: 8 }, () => aFile("the bill of a household"));
    await Promise.all(copies.map((file) => files.keep(platformId, file)));
    const [first = aFile(), second = aFile()] = copies;
    expect(new Set(copies.map(({ fileId }) => fileId)).size).toBe(8);
    for (const [name, { fileId }] of Object.entries({ ada: first, bob: second }))
      expect((await kyc.createOrReplay(platformId, requestOf(name, [useOf(fileId)]))).kind).toBe("new");
    for (const { fileId, bytes } of copies)
      expect(await files.read(platformId, fileId)).toMatchObject({ bytes });
  });

  test.each(["before", "after"] as const)(
    "leaves no usable file when the upload fails %s its blob is stored, and a sweep deletes it",
    async (when) => {
      const platformId = await world.platform();
      const file = aFile();
      state.broken = when;
      await expect(files.keep(platformId, file)).rejects.toMatchObject({ code: "STORAGE_FULL" });
      expect(await files.read(platformId, file.fileId)).toBeNull();
      expect(await rulesOf(kyc.createOrReplay(platformId, requestOf("m", [useOf(file.fileId)])))).toEqual([
        [["selfieImageUrl"], "file-unknown"],
      ]);
      const again = { ...aFile(), bytes: file.bytes };
      await files.keep(platformId, again);
      await expire(file.fileId);
      await files.sweep(100);
      expect([await rowOf(file.fileId), kept.has(file.blobName)]).toEqual([undefined, false]);
      expect(await files.read(platformId, again.fileId)).not.toBeNull();
    },
  );

  test("fails a read with SERVICE_UNAVAILABLE when the blob was lost or swapped", async () => {
    const platformId = await world.platform();
    const [one, two] = [aFile(), aFile()];
    await files.keep(platformId, one);
    await files.keep(platformId, two);
    kept.set(one.blobName, kept.get(two.blobName) ?? new Uint8Array());
    await expect(files.read(platformId, one.fileId)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    kept.delete(two.blobName);
    await expect(files.read(platformId, two.fileId)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  });
});

describe("a submission that uses files", () => {
  test("assigns them to its user: wrapped under the data key, without an expiry", async () => {
    const platformId = await world.platform();
    const file = aFile();
    await files.keep(platformId, file);
    const result = await kyc.createOrReplay(platformId, requestOf("ada", [useOf(file.fileId)]));
    expect(result.kind).toBe("new");
    expect(await rowOf(file.fileId)).toMatchObject({
      user_id: result.record.externalUserId,
      key_version: null,
      expires_at: null,
    });
    expect(await files.read(platformId, file.fileId)).toMatchObject({ bytes: file.bytes });
  });

  test("is replayed even if its file does not exist, and may use the file again after a rejection", async () => {
    const platformId = await world.platform();
    const file = aFile();
    await files.keep(platformId, file);
    const first = await kyc.createOrReplay(platformId, requestOf("ada", [useOf(file.fileId)]));
    expect((await kyc.createOrReplay(platformId, requestOf("ada", [useOf("file_gone")]))).kind).toBe(
      "replay",
    );
    await kyc.storeVerdict(platformId, first.record, answered("rejected"));
    const second = await kyc.createOrReplay(
      platformId,
      requestOf("ada", [useOf(file.fileId)], { occupation: "Poet" }),
    );
    expect(second.kind).toBe("new");
    expect(await files.read(platformId, file.fileId)).toMatchObject({ bytes: file.bytes });
  });

  test("is rejected with a violation for each file that its user may not use, and writes nothing", async () => {
    const [platformId, other] = [await world.platform(), await world.platform()];
    const [foreign, used, front, expired] = [aFile(), aFile(), aFile(undefined, "document_front"), aFile()];
    await files.keep(other, foreign);
    for (const file of [used, front, expired]) await files.keep(platformId, file);
    await expire(expired.fileId);
    await kyc.createOrReplay(platformId, requestOf("ada", [useOf(used.fileId)]));
    const uses = [foreign, used, front, expired, aFile()].map(({ fileId }, index) => ({
      ...useOf(fileId),
      path: [index],
    }));
    expect(await rulesOf(kyc.createOrReplay(platformId, requestOf("bob", uses)))).toEqual([
      [[0], "file-unknown"],
      [[1], "file-of-another-user"],
      [[2], "file-purpose"],
      [[3], "file-unknown"],
      [[4], "file-unknown"],
    ]);
    expect(await kyc.latest(platformId, { memberId: "bob" })).toBeNull();
    expect((await rowOf(front.fileId)).user_id).toBeNull();
  });

  test("succeeds for one of two users who use the same file concurrently", async () => {
    const platformId = await world.platform();
    const file = aFile();
    await files.keep(platformId, file);
    const results = ["ada", "bob"].map((name) =>
      rulesOf(kyc.createOrReplay(platformId, requestOf(name, [useOf(file.fileId)]))),
    );
    expect((await Promise.all(results)).sort()).toEqual(
      [[[["selfieImageUrl"], "file-of-another-user"]], "created"].sort(),
    );
  });
});

describe("expired files", () => {
  test("are destroyed if no submission used them; used files remain", async () => {
    const platformId = await world.platform();
    const [unused, used, young] = [aFile(), aFile(), aFile()];
    for (const file of [unused, used, young]) await files.keep(platformId, file);
    await kyc.createOrReplay(platformId, requestOf("ada", [useOf(used.fileId)]));
    await expire(unused.fileId);
    expect(await files.read(platformId, unused.fileId)).toBeNull();
    expect(await files.sweep(100)).toBeGreaterThanOrEqual(1);
    expect([unused, used, young].map(({ blobName }) => kept.has(blobName))).toEqual([false, true, true]);
    expect(await rowOf(unused.fileId)).toBeUndefined();
  });

  test("are swept again after an interrupted sweep, and cannot be read in between", async () => {
    const platformId = await world.platform();
    const file = aFile();
    await files.keep(platformId, file);
    await expire(file.fileId);
    const dying = filesRepository(database, keys, {
      ...blobs,
      delete: () => Promise.reject(new Failure("SERVICE_UNAVAILABLE")),
    });
    await expect(dying.sweep(100)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    expect(await rowOf(file.fileId)).toMatchObject({ data_key: null });
    expect(await files.read(platformId, file.fileId)).toBeNull();
    await expire(file.fileId);
    await files.sweep(100);
    expect([await rowOf(file.fileId), kept.has(file.blobName)]).toEqual([undefined, false]);
  });

  test("are destroyed even if another file's blob cannot be deleted, which fails the sweep", async () => {
    const platformId = await world.platform();
    const [stuck, second, third] = [aFile(), aFile(), aFile()];
    for (const { fileId, ...file } of [stuck, second, third]) {
      await files.keep(platformId, { fileId, ...file });
      await expire(fileId);
    }
    const failing = filesRepository(database, keys, {
      ...blobs,
      delete: async (name) => {
        if (name === stuck.blobName) throw new Failure("SERVICE_UNAVAILABLE");
        await blobs.delete(name);
      },
    });
    await expect(failing.sweep(100)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    expect(await rowOf(stuck.fileId)).toMatchObject({ data_key: null });
    expect([await rowOf(second.fileId), await rowOf(third.fileId)]).toEqual([undefined, undefined]);
    await expire(stuck.fileId);
    await files.sweep(100);
    expect(await rowOf(stuck.fileId)).toBeUndefined();
  });

  test("are destroyed with their user", async () => {
    const platformId = await world.platform();
    const file = aFile();
    await files.keep(platformId, file);
    const { record } = await kyc.createOrReplay(platformId, requestOf("ada", [useOf(file.fileId)]));
    await kyc.storeVerdict(platformId, record, answered("approved"));
    const { request, eraseDue } = testErasures(database);
    await request(platformId, record.externalUserId);
    await eraseDue(100);
    expect(await rowOf(file.fileId)).toMatchObject({ data_key: null });
    expect(await files.read(platformId, file.fileId)).toBeNull();
    await files.sweep(100);
    expect([await rowOf(file.fileId), kept.has(file.blobName)]).toEqual([undefined, false]);
  });
});

describe("the key ring", () => {
  test("unwraps file keys of an older version, and its status counts them", async () => {
    const platformId = await world.platform();
    const file = aFile();
    await files.keep(platformId, file);
    const rotated = keysOf(2, 1);
    const later = filesRepository(database, rotated, blobs);
    expect(await later.read(platformId, file.fileId)).toMatchObject({ bytes: file.bytes });
    const statuses = await encryptionKeysRepository(database, rotated).status();
    expect(statuses.find(({ version }) => version === 1)?.files).toBeGreaterThan(0);
    await kycRecordsRepository(database, { keys: rotated }).createOrReplay(
      platformId,
      requestOf("ada", [useOf(file.fileId)]),
    );
    expect(await later.read(platformId, file.fileId)).toMatchObject({ bytes: file.bytes });
  });

  test("cannot read a file whose version it lacks", async () => {
    const platformId = await world.platform();
    const file = aFile();
    await files.keep(platformId, file);
    const poor = filesRepository(database, keysOf(2), blobs);
    await expect(poor.read(platformId, file.fileId)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  });
});
