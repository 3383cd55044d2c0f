import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { createServer } from "node:http";
import { createServer as createHttps } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { buffer } from "node:stream/consumers";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { fileURLToPath } from "node:url";
import { inspect } from "node:util";
import { type BlobAddress, type EncryptedFile, Failure, reasonOf } from "@cardbridge/domain";
import { testCertificate, testKey } from "@cardbridge/egress/testing/certificate";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type BlobStore, createFolderBlobs, createS3Blobs } from "../../src/index.ts";
import { createTempFolder } from "../support/folder.ts";
import { testImage } from "../support/images.ts";
import { outcomeOf } from "../support/outcome.ts";
import { createTestRenderer, storeFile } from "../support/renderer.ts";
import { stores } from "../support/stores.ts";

const photo = await testImage(400, 300).jpeg().toBuffer();
const unavailable = "SERVICE_UNAVAILABLE";

/** The reason of the failure of a page, whose error has nothing of the file. */
async function reasonFor(show: ReturnType<typeof createTestRenderer>["show"], file: EncryptedFile) {
  const failure: unknown = await show({ file: async () => file }).catch((error) => error);
  expect(failure).toMatchObject({ code: unavailable });
  const { pathname, search } = new URL(file.address.url);
  const shown = inspect(failure, { depth: 9 });
  for (const secret of [pathname, search, Buffer.from(file.key).toString("hex"), file.fileId])
    if (secret !== "") expect(shown).not.toContain(secret);
  return reasonOf(failure);
}

async function serving(server: Server, protocol: string): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `${protocol}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe.each(stores)("a file in a %s", (_, start) => {
  let blobs: BlobStore;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ blobs, close } = await start());
  });
  afterAll(() => close());

  it("is read by the render process, with nothing but its address and its key", async () => {
    const file = await storeFile(blobs, photo);
    const page = await createTestRenderer().show({ file: async () => file });
    expect(page).toMatchObject({ width: 400, height: 300, allPages: 1 });
  });

  it.each<[string, string, (file: EncryptedFile & { name: string }) => Promise<Partial<EncryptedFile>>]>([
    ["is lost", "blob-missing", async ({ name }) => replace(name)],
    ["is empty", "not-authentic", async ({ name }) => replace(name, new Uint8Array())],
    [
      "is truncated",
      "not-authentic",
      async ({ name }) => replace(name, (await blobOf(name)).subarray(0, -1)),
    ],
    [
      "is longer",
      "not-authentic",
      async ({ name }) => replace(name, Buffer.concat([await blobOf(name), photo])),
    ],
    [
      "was swapped with another one",
      "not-authentic",
      async ({ name }) => replace(name, await blobOf((await storeFile(blobs, photo)).name)),
    ],
    ["has another key", "not-authentic", async () => ({ key: randomBytes(32) })],
    ["belongs to another file", "not-authentic", async () => ({ fileId: "file_other" })],
    ["belongs to another platform", "not-authentic", async () => ({ platformId: "plt_other" })],
  ])("that %s fails with the reason %s, and the next one is shown", async (_, reason, damage) => {
    const { show } = createTestRenderer({ processes: 1 });
    const file = await storeFile(blobs, photo);
    expect(await reasonFor(show, { ...file, ...(await damage(file)) })).toBe(reason);
    const next = await storeFile(blobs, photo);
    expect(await show({ file: async () => next })).toMatchObject({ width: 400 });
  });

  const blobOf = async (name: string) => (await blobs.get(name)) ?? new Uint8Array();
  async function replace(name: string, blob?: Uint8Array) {
    await blobs.delete(name);
    if (blob) await blobs.put(name, blob);
    return {};
  }
});

it("a file that cannot be read, and a store that is away, fail with the reason of the system", async () => {
  const { show } = createTestRenderer({ processes: 1 });
  const file = await storeFile(await createFolderBlobs(await createTempFolder()), photo);
  const at = (url: string): EncryptedFile => ({ ...file, address: { url, authorities: [] } });
  const folder = new URL("folder", file.address.url);
  await mkdir(fileURLToPath(folder));
  expect(await reasonFor(show, at(folder.href))).toBe("EISDIR");
  const denied = createServer((_, response) =>
    response.writeHead(403).end("<Error><Code>AccessDenied</Code></Error>"),
  );
  const url = await serving(denied, "http");
  expect(await reasonFor(show, at(`${url}/files/canary?X-Amz-Signature=canary`))).toBe("AccessDenied");
  denied.close();
  denied.closeAllConnections();
  expect(await reasonFor(show, at(`${url}/files/canary?X-Amz-Signature=canary`))).toBe("ECONNREFUSED");
});

it("a bucket behind a private authority is read if this process trusts the authority", async () => {
  let blob: Uint8Array = new Uint8Array();
  const server = createHttps({ key: testKey, cert: testCertificate }, async (request, response) => {
    if (request.method === "PUT") blob = await buffer(request);
    response.end(request.method === "GET" ? blob : "");
  });
  const account = { region: "r", accessKeyId: "id", secretAccessKey: "secret", pathStyle: true };
  const blobs = createS3Blobs({ endpoint: await serving(server, "https"), bucket: "files", ...account });
  const before = getCACertificates("default");
  onTestFinished(() => setDefaultCACertificates(before));
  setDefaultCACertificates([...before, testCertificate]);
  const file = await storeFile(blobs, photo);
  expect(file.address.authorities.map((one) => one.trim())).toContain(testCertificate);
  const { show } = createTestRenderer({ processes: 1 });
  const untrusted: BlobAddress = { ...file.address, authorities: [] };
  expect(await reasonFor(show, { ...file, address: untrusted })).toBe("DEPTH_ZERO_SELF_SIGNED_CERT");
  expect(await show({ file: async () => file })).toMatchObject({ width: 400 });
});

it("a file is located when a renderer is free, and its failure is that of the page", async () => {
  const free = Promise.withResolvers<void>();
  const { show } = createTestRenderer({ runInSlot: (_, work) => free.promise.then(work) });
  let located = 0;
  const erased = async () => {
    located += 1;
    throw new Failure("FILE_NOT_FOUND");
  };
  const outcome = outcomeOf(show({ file: erased }));
  await new Promise(setImmediate);
  expect(located).toBe(0);
  free.resolve();
  expect(await outcome).toBe("FILE_NOT_FOUND");
});

it("closing ends a process that waits for its file", async () => {
  const { show, close } = createTestRenderer();
  const asked = Promise.withResolvers<void>();
  const silent = createServer((request) => {
    request.socket.on("close", ended.resolve);
    asked.resolve();
  });
  const ended = Promise.withResolvers<void>();
  const url = await serving(silent, "http");
  const file = await storeFile(await createFolderBlobs(await createTempFolder()), photo);
  const outcome = outcomeOf(show({ file: async () => ({ ...file, address: { url, authorities: [] } }) }));
  await asked.promise;
  close();
  expect(await outcome).toBe(unavailable);
  await ended.promise;
});
