import { randomUUID } from "node:crypto";
import { Failure, type FilePurpose, type FileUse } from "@cardbridge/domain";
import { describe, expect, test } from "vitest";
import { withConnection } from "../../src/connect.ts";
import { erasures, filesRepository, keyringStatus, kycRecordsRepository } from "../../src/index.ts";
import { aFile, memoryBlobs } from "../support/a-file.ts";
import { aClaim, answered, keys, keysOf, makeWorld } from "../support/world.ts";

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
const claimOf = (memberId: string, uses: FileUse[], changes = {}) => ({
  ...aClaim({ memberId, email: `${memberId}@example.com`, ...changes }),
  files: uses,
});
const rulesOf = (claim: Promise<unknown>) =>
  claim.then(
    () => "taken",
    (error: Failure) => error.details.violations?.map(({ path, rule }) => [path, rule]),
  );

describe("keeping a file", () => {
  test("gives back what was kept, to its platform alone", async () => {
    const [platformId, other] = [await world.platform(), await world.platform()];
    const file = aFile();
    const { fileId, expiresAt } = await files.keep(platformId, file);
    expect(fileId).toBe(file.fileId);
    expect(expiresAt.getTime() - Date.now()).toBeGreaterThan(23.9 * 3_600_000);
    expect(await files.read(platformId, fileId)).toEqual({ contentType: "image/jpeg", bytes: file.bytes });
    expect(await files.read(other, fileId)).toBeNull();
    expect(await files.platformOf(fileId)).toBe(platformId);
    expect(await files.platformOf("file_nowhere")).toBeNull();
    expect(Buffer.from(kept.get(file.blobName) ?? []).includes("picture")).toBe(false);
  });

  test("keeps the same upload once, also when it comes at the same moment; another purpose is another file", async () => {
    const platformId = await world.platform();
    const content = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => files.keep(platformId, aFile(content))),
    );
    const [first] = answers;
    expect(new Set(answers.map(({ fileId }) => fileId)).size).toBe(1);
    expect(await files.read(platformId, first?.fileId ?? "")).not.toBeNull();
    const again = await files.keep(platformId, aFile(content));
    expect(again.fileId).toBe(first?.fileId);
    expect(again.expiresAt.getTime()).toBeGreaterThan(first?.expiresAt.getTime() ?? 0);
    const front = await files.keep(platformId, aFile(content, "document_front"));
    expect(front.fileId).not.toBe(first?.fileId);
    expect((await files.keep(await world.platform(), aFile(content))).fileId).not.toBe(first?.fileId);
  });

  test.each(["before", "after"] as const)(
    "what breaks off %s its blob is kept is no file, and is swept",
    async (when) => {
      const platformId = await world.platform();
      const file = aFile();
      state.broken = when;
      await expect(files.keep(platformId, file)).rejects.toMatchObject({ code: "STORAGE_FULL" });
      expect(await files.read(platformId, file.fileId)).toBeNull();
      expect(await rulesOf(kyc.claim(platformId, claimOf("m", [useOf(file.fileId)])))).toEqual([
        [["selfieImageUrl"], "file-unknown"],
      ]);
      const again = await files.keep(platformId, {
        ...file,
        fileId: aFile().fileId,
        blobName: aFile().blobName,
      });
      expect(again.fileId).not.toBe(file.fileId);
      await expire(file.fileId);
      await files.sweep(100);
      expect([await rowOf(file.fileId), kept.has(file.blobName)]).toEqual([undefined, false]);
      expect(await files.read(platformId, again.fileId)).not.toBeNull();
    },
  );

  test("a blob that is lost or was exchanged is our trouble, and is not shown", async () => {
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
  test("makes them its user's: wrapped under their data key, for as long as their data", async () => {
    const platformId = await world.platform();
    const file = aFile();
    await files.keep(platformId, file);
    const claim = await kyc.claim(platformId, claimOf("ada", [useOf(file.fileId)]));
    expect(claim.kind).toBe("new");
    expect(await rowOf(file.fileId)).toMatchObject({
      user_id: claim.record.externalUserId,
      key_version: null,
      expires_at: null,
    });
    expect(await files.read(platformId, file.fileId)).toMatchObject({ bytes: file.bytes });
    expect((await files.keep(platformId, aFile())).fileId).not.toBe(file.fileId);
  });

  test("replays whatever has become of the file, and may use it again after a rejection", async () => {
    const platformId = await world.platform();
    const file = aFile();
    await files.keep(platformId, file);
    const first = await kyc.claim(platformId, claimOf("ada", [useOf(file.fileId)]));
    expect((await kyc.claim(platformId, claimOf("ada", [useOf("file_gone")]))).kind).toBe("replay");
    await kyc.storeVerdict(platformId, first.record, answered("rejected"));
    const second = await kyc.claim(platformId, claimOf("ada", [useOf(file.fileId)], { occupation: "Poet" }));
    expect(second.kind).toBe("new");
    expect(await files.read(platformId, file.fileId)).toMatchObject({ bytes: file.bytes });
  });

  test("is refused whole, with every file that is not its user's to use; nothing is written", async () => {
    const [platformId, other] = [await world.platform(), await world.platform()];
    const [foreign, used, front, expired] = [aFile(), aFile(), aFile(undefined, "document_front"), aFile()];
    await files.keep(other, foreign);
    for (const file of [used, front, expired]) await files.keep(platformId, file);
    await expire(expired.fileId);
    await kyc.claim(platformId, claimOf("ada", [useOf(used.fileId)]));
    const uses = [foreign, used, front, expired, aFile()].map(({ fileId }, index) => ({
      ...useOf(fileId),
      path: [index],
    }));
    expect(await rulesOf(kyc.claim(platformId, claimOf("bob", uses)))).toEqual([
      [[0], "file-unknown"],
      [[1], "file-of-another-user"],
      [[2], "file-purpose"],
      [[3], "file-unknown"],
      [[4], "file-unknown"],
    ]);
    expect(await kyc.latest(platformId, { memberId: "bob" })).toBeNull();
    expect((await rowOf(front.fileId)).user_id).toBeNull();
  });

  test("of two users who use one file at the same moment, one gets it", async () => {
    const platformId = await world.platform();
    const file = aFile();
    await files.keep(platformId, file);
    const claims = ["ada", "bob"].map((name) =>
      rulesOf(kyc.claim(platformId, claimOf(name, [useOf(file.fileId)]))),
    );
    expect((await Promise.all(claims)).sort()).toEqual(
      [[[["selfieImageUrl"], "file-of-another-user"]], "taken"].sort(),
    );
  });
});

describe("files that are over", () => {
  test("vanish when no submission used them in time; used ones stay", async () => {
    const platformId = await world.platform();
    const [unused, used, young] = [aFile(), aFile(), aFile()];
    for (const file of [unused, used, young]) await files.keep(platformId, file);
    await kyc.claim(platformId, claimOf("ada", [useOf(used.fileId)]));
    await expire(unused.fileId);
    expect(await files.read(platformId, unused.fileId)).toBeNull();
    expect(await files.sweep(100)).toBeGreaterThanOrEqual(1);
    expect([unused, used, young].map(({ blobName }) => kept.has(blobName))).toEqual([false, true, true]);
    expect(await rowOf(unused.fileId)).toBeUndefined();
  });

  test("are found again when a sweep dies in between; until then they open no more", async () => {
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

  test("follow their user's erasure", async () => {
    const platformId = await world.platform();
    const file = aFile();
    await files.keep(platformId, file);
    const { record } = await kyc.claim(platformId, claimOf("ada", [useOf(file.fileId)]));
    await kyc.storeVerdict(platformId, record, answered("approved"));
    const { request, eraseDue } = erasures(database);
    await request(platformId, record.externalUserId);
    await eraseDue(100);
    expect(await rowOf(file.fileId)).toMatchObject({ data_key: null });
    expect(await files.read(platformId, file.fileId)).toBeNull();
    await files.sweep(100);
    expect([await rowOf(file.fileId), kept.has(file.blobName)]).toEqual([undefined, false]);
  });
});

describe("the key ring", () => {
  test("still opens what an older version wrapped, and is told of it", async () => {
    const platformId = await world.platform();
    const file = aFile();
    await files.keep(platformId, file);
    const rotated = keysOf(2, 1);
    const later = filesRepository(database, rotated, blobs);
    expect(await later.read(platformId, file.fileId)).toMatchObject({ bytes: file.bytes });
    const statuses = await keyringStatus(database, rotated);
    expect(statuses.find(({ version }) => version === 1)?.files).toBeGreaterThan(0);
    await kycRecordsRepository(database, { keys: rotated }).claim(
      platformId,
      claimOf("ada", [useOf(file.fileId)]),
    );
    expect(await later.read(platformId, file.fileId)).toMatchObject({ bytes: file.bytes });
  });

  test("that lacks a version fails closed", async () => {
    const platformId = await world.platform();
    const file = aFile();
    await files.keep(platformId, file);
    const poor = filesRepository(database, keysOf(2), blobs);
    await expect(poor.read(platformId, file.fileId)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  });
});
