import type { FilePurpose, FileUse } from "@cardbridge/domain";
import { expect, test } from "vitest";
import { withConnection } from "../../src/connect.ts";
import { filesRepository } from "../../src/index.ts";
import { aFile, memoryBlobs } from "../support/a-file.ts";
import { aRequest, keys, makeWorld } from "../support/world.ts";

const { database, kyc, platform, urls } = await makeWorld();
const files = filesRepository(database, keys, memoryBlobs().blobs);
const useOf = (fileId: string, purpose: FilePurpose = "selfie"): FileUse => ({
  fileId,
  purpose,
  path: [purpose],
});

test("check reports the violations of a submission without using files", async () => {
  const [platformId, other] = [await platform(), await platform()];
  const keep = async (owner = platformId) => {
    const file = aFile();
    await files.keep(owner, file);
    return useOf(file.fileId);
  };
  const [free, used, expired, foreign] = [await keep(), await keep(), await keep(), await keep(other)];
  await withConnection(urls.adminUrl, (client) =>
    client.query("update files set expires_at = clock_timestamp() where id = $1", [expired.fileId]),
  );
  const { record } = await kyc.createOrReplay(platformId, { ...aRequest(), files: [used] });
  const wrong = { ...free, purpose: "document_back" as const };
  const uses = [free, used, expired, foreign, wrong, useOf("file_nowhere")];

  const rulesFor = async (userId: string | null | undefined) =>
    (await files.check(platformId, uses, userId)).map(({ rule }) => rule);
  const others = ["file-unknown", "file-unknown", "file-purpose", "file-unknown"];
  expect(await rulesFor(record.externalUserId)).toEqual(others);
  expect(await rulesFor(undefined)).toEqual(others);
  expect(await rulesFor("usr_other")).toEqual(["file-of-another-user", ...others]);
  expect(await rulesFor(null)).toEqual(["file-of-another-user", ...others]);
  // Another user may still use the file.
  const names = { memberId: "member-2", email: "bob@example.com" };
  expect((await kyc.createOrReplay(platformId, { ...aRequest(names), files: [free] })).kind).toBe("new");
});

test("check and a submission report a file that the provider does not accept", async () => {
  const platformId = await platform();
  const file = aFile();
  await files.keep(platformId, file);
  const { contentType, bytes } = file;
  const use = (types: (typeof contentType)[], maxBytes: number) => ({
    ...useOf(file.fileId),
    accepts: { types, maxBytes },
  });
  const rulesFor = async (one: FileUse) =>
    (await files.check(platformId, [one], null)).map(({ rule }) => rule);
  expect(await rulesFor(use([contentType], bytes.byteLength))).toEqual([]);
  expect(await rulesFor(use([], bytes.byteLength))).toEqual(["provider-file"]);
  const tooLarge = use([contentType], bytes.byteLength - 1);
  expect(await rulesFor(tooLarge)).toEqual(["provider-file"]);
  const result = kyc.createOrReplay(platformId, { ...aRequest(), files: [tooLarge] });
  await expect(result).rejects.toMatchObject({ details: { violations: [{ rule: "provider-file" }] } });
});
