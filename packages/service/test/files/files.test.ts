import { Failure, type FilePurpose, type FileUse } from "@cardbridge/domain";
import { describe, expect, test } from "vitest";
import { kycRecordsRepository } from "../../src/database.ts";
import { decryptBlob } from "../../src/files/file-key.ts";
import { readFile } from "../../src/files/read.ts";
import { aFile, filesWith, memoryBlobs } from "../support/a-file.ts";
import { callOf } from "../support/calls.ts";
import { keyRingOf } from "../support/key-ring.ts";
import { answered, aRequest, keys, keysOf, makeWorld, someone } from "../support/world.ts";

const { admin, database, erasures, kyc, platform, ports } = await makeWorld({ maxConnections: 10 });

const { blobs, kept, state } = memoryBlobs();
const files = filesWith(database, keys, blobs);

/** Keeps files of a platform. */
async function keptBy(platformId: string, ...uploads: ReturnType<typeof aFile>[]) {
  for (const file of uploads) await files.keep(platformId, file);
}
const rowOf = async (fileId: string) => (await admin("select * from files where id = $1", [fileId]))[0];
const isGone = async ({ fileId, blobName }: ReturnType<typeof aFile>) =>
  (await rowOf(fileId)) === undefined && !kept.has(blobName);
const expire = (fileId: string) =>
  admin("update files set expires_at = clock_timestamp() - interval '1 second' where id = $1", [fileId]);

const useOf = (fileId: string, purpose: FilePurpose = "selfie"): FileUse => ({
  fileId,
  purpose,
  path: ["selfieImageUrl"],
});
const requestOf = (name: string, uses: FileUse[], changes = {}) => ({
  ...aRequest({ ...someone(name), ...changes }),
  files: uses,
});
const rulesOf = (result: Promise<unknown>) =>
  result.then(
    () => "created",
    (error: Failure) => error.details.violations?.map(({ path, rule }) => [path, rule]),
  );

describe("keeping a file", () => {
  test("makes the bytes available to its platform only", async () => {
    const [platformId, other] = [await platform(), await platform()];
    const file = aFile();
    const { fileId } = file;
    const { expiresAt } = await files.keep(platformId, file);
    expect(expiresAt.getTime() - Date.now()).toBeGreaterThan(23.9 * 3_600_000);
    expect(await files.read(platformId, fileId)).toEqual({ contentType: "image/jpeg", bytes: file.bytes });
    expect(await files.read(other, fileId)).toBeNull();
    // A signed URL identifies the file, but not its platform.
    const bySignedUrl = (id: string) =>
      readFile.execute({ ...ports, files }, callOf("provider"), { fileId: id });
    expect(await bySignedUrl(fileId)).toMatchObject({ data: { bytes: file.bytes }, platformId });
    await expect(bySignedUrl(aFile().fileId)).rejects.toMatchObject({ code: "FILE_NOT_FOUND" });
    expect(Buffer.from(kept.get(file.blobName) ?? []).includes("picture")).toBe(false);
  });

  test("stores equal uploads as separate files, so that two users may use the same document", async () => {
    const platformId = await platform();
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
      const platformId = await platform();
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
      expect(await isGone(file)).toBe(true);
      expect(await files.read(platformId, again.fileId)).not.toBeNull();
    },
  );

  test("is located for another process without a read of its blob", async () => {
    const [platformId, other] = [await platform(), await platform()];
    const file = aFile();
    await keptBy(platformId, file);
    const get = () => Promise.reject(new Error("The blob is read."));
    const unread = filesWith(database, keys, { ...blobs, get });
    const located = await unread.locate(platformId, file.fileId);
    const address = await blobs.addressOf(file.blobName);
    const { fileId } = file;
    expect(located).toEqual({
      platformId,
      fileId,
      contentType: "image/jpeg",
      address,
      key: expect.any(Buffer),
    });
    const blob = kept.get(file.blobName) ?? null;
    expect(located && decryptBlob(blob, located.key, located)).toEqual(file.bytes);
    expect(await unread.locate(other, fileId)).toBeNull();
    await expire(fileId);
    expect(await unread.locate(platformId, fileId)).toBeNull();
  });

  test("fails a read with SERVICE_UNAVAILABLE when the blob was lost or swapped", async () => {
    const platformId = await platform();
    const [one, two] = [aFile(), aFile()];
    await keptBy(platformId, one, two);
    kept.set(one.blobName, kept.get(two.blobName) ?? new Uint8Array());
    kept.delete(two.blobName);
    for (const { fileId } of [one, two])
      await expect(files.read(platformId, fileId)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  });
});

describe("a submission that uses files", () => {
  test("assigns them to its user: wrapped under the data key, without an expiry", async () => {
    const platformId = await platform();
    const file = aFile();
    await files.keep(platformId, file);
    const { kind, record } = await kyc.createOrReplay(platformId, requestOf("ada", [useOf(file.fileId)]));
    expect(kind).toBe("new");
    const used = { user_id: record.externalUserId, key_version: null, expires_at: null };
    expect(await rowOf(file.fileId)).toMatchObject(used);
    expect(await files.read(platformId, file.fileId)).toMatchObject({ bytes: file.bytes });
  });

  test("is replayed even if its file does not exist, and may use the file again after a rejection", async () => {
    const platformId = await platform();
    const file = aFile();
    await files.keep(platformId, file);
    const submit = (fileId: string, changes = {}) =>
      kyc.createOrReplay(platformId, requestOf("ada", [useOf(fileId)], changes));
    const { record } = await submit(file.fileId);
    expect((await submit("file_gone")).kind).toBe("replay");
    await kyc.storeVerdict(platformId, record, answered("rejected"));
    expect((await submit(file.fileId, { occupation: "Poet" })).kind).toBe("new");
    expect(await files.read(platformId, file.fileId)).toMatchObject({ bytes: file.bytes });
  });

  test("is rejected with a violation for each file that its user may not use, as a check reports", async () => {
    const [platformId, other] = [await platform(), await platform()];
    const [foreign, used, front, expired] = [aFile(), aFile(), aFile(undefined, "document_front"), aFile()];
    await keptBy(other, foreign);
    await keptBy(platformId, used, front, expired);
    await expire(expired.fileId);
    const { record } = await kyc.createOrReplay(platformId, requestOf("ada", [useOf(used.fileId)]));
    const uses = [foreign, used, front, expired, aFile()].map(({ fileId }, index) => ({
      ...useOf(fileId),
      path: [index],
    }));
    const ofAda = [
      [[0], "file-unknown"],
      [[2], "file-purpose"],
      [[3], "file-unknown"],
      [[4], "file-unknown"],
    ];
    const ofOthers = [ofAda[0], [[1], "file-of-another-user"], ...ofAda.slice(1)];
    expect(await rulesOf(kyc.createOrReplay(platformId, requestOf("bob", uses)))).toEqual(ofOthers);
    expect(await kyc.current(platformId, { memberId: someone("bob").memberId })).toBeNull();
    expect((await rowOf(front.fileId)).user_id).toBeNull();

    const checked = async (userId: string | null | undefined) =>
      (await files.check(platformId, uses, userId)).map(({ path, rule }) => [path, rule]);
    expect([await checked(record.externalUserId), await checked(undefined)]).toEqual([ofAda, ofAda]);
    expect([await checked("usr_other"), await checked(null)]).toEqual([ofOthers, ofOthers]);
  });

  test("is rejected for a file that the provider does not accept, as a check reports", async () => {
    const platformId = await platform();
    const { fileId, contentType, bytes, ...file } = aFile();
    await keptBy(platformId, { fileId, contentType, bytes, ...file });
    const use = (types: (typeof contentType)[], maxBytes: number) => ({
      ...useOf(fileId),
      accepts: { types, maxBytes },
    });
    const tooLarge = use([contentType], bytes.byteLength - 1);
    for (const [one, rules] of [
      [use([contentType], bytes.byteLength), []],
      [use([], bytes.byteLength), ["provider-file"]],
      [tooLarge, ["provider-file"]],
    ] as const)
      expect((await files.check(platformId, [one], null)).map(({ rule }) => rule)).toEqual(rules);
    expect(await rulesOf(kyc.createOrReplay(platformId, requestOf("ada", [tooLarge])))).toEqual([
      [["selfieImageUrl"], "provider-file"],
    ]);
  });

  test("succeeds for one of two users who use the same file concurrently", async () => {
    const platformId = await platform();
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
    const platformId = await platform();
    const [unused, used, young] = [aFile(), aFile(), aFile()];
    await keptBy(platformId, unused, used, young);
    await kyc.createOrReplay(platformId, requestOf("ada", [useOf(used.fileId)]));
    await expire(unused.fileId);
    expect(await files.read(platformId, unused.fileId)).toBeNull();
    expect(await files.sweep(100)).toBeGreaterThanOrEqual(1);
    expect(await Promise.all([unused, used, young].map(isGone))).toEqual([true, false, false]);
  });

  test("are swept again after an interrupted sweep, and cannot be read in between", async () => {
    const platformId = await platform();
    const file = aFile();
    await files.keep(platformId, file);
    await expire(file.fileId);
    const dying = filesWith(database, keys, {
      ...blobs,
      delete: () => Promise.reject(new Failure("SERVICE_UNAVAILABLE")),
    });
    await expect(dying.sweep(100)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    expect(await rowOf(file.fileId)).toMatchObject({ data_key: null });
    expect(await files.read(platformId, file.fileId)).toBeNull();
    await expire(file.fileId);
    await files.sweep(100);
    expect(await isGone(file)).toBe(true);
  });

  test("are destroyed even if another file's blob cannot be deleted, which fails the sweep", async () => {
    const platformId = await platform();
    const [stuck, second, third] = [aFile(), aFile(), aFile()];
    await keptBy(platformId, stuck, second, third);
    for (const { fileId } of [stuck, second, third]) await expire(fileId);
    const failing = filesWith(database, keys, {
      ...blobs,
      delete: async (name) => {
        if (name === stuck.blobName) throw new Failure("SERVICE_UNAVAILABLE");
        await blobs.delete(name);
      },
    });
    await expect(failing.sweep(100)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    expect(await rowOf(stuck.fileId)).toMatchObject({ data_key: null });
    expect([await isGone(second), await isGone(third)]).toEqual([true, true]);
    await expire(stuck.fileId);
    await files.sweep(100);
    expect(await isGone(stuck)).toBe(true);
  });

  test("are destroyed with their user", async () => {
    const platformId = await platform();
    const file = aFile();
    await files.keep(platformId, file);
    const { record } = await kyc.createOrReplay(platformId, requestOf("ada", [useOf(file.fileId)]));
    await kyc.storeVerdict(platformId, record, answered("approved"));
    await erasures.request(platformId, record.externalUserId);
    await erasures.eraseDue(100);
    expect(await rowOf(file.fileId)).toMatchObject({ data_key: null });
    expect(await files.read(platformId, file.fileId)).toBeNull();
    await files.sweep(100);
    expect(await isGone(file)).toBe(true);
  });
});

test("file keys of an older version are unwrapped, and not without that version", async () => {
  const platformId = await platform();
  const file = aFile();
  await keptBy(platformId, file);
  const poor = filesWith(database, keysOf(2), blobs);
  await expect(poor.read(platformId, file.fileId)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  const rotated = keysOf(2, 1);
  const later = filesWith(database, rotated, blobs);
  expect(await later.read(platformId, file.fileId)).toMatchObject({ bytes: file.bytes });
  const statuses = await keyRingOf(ports, rotated).status();
  expect(statuses.find(({ version }) => version === 1)?.files).toBeGreaterThan(0);
  const records = kycRecordsRepository(database, { keys: rotated });
  await records.createOrReplay(platformId, requestOf("ada", [useOf(file.fileId)]));
  expect(await later.read(platformId, file.fileId)).toMatchObject({ bytes: file.bytes });
});
