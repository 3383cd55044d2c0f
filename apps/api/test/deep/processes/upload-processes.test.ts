import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import S3rver from "s3rver";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerWholeObjects } from "../../../../../packages/files/test/support/whole-objects.ts";
import { makeInternalKey } from "../../support/keys.ts";
import { samplePdf } from "../../support/samples.ts";
import { type ServiceProcess, startService } from "../../support/service-process.ts";
import { startTestService } from "../../support/test-service.ts";

/** Uploads to real processes that are killed, or whose disk is full. */
let world: Awaited<ReturnType<typeof startTestService>>;
let key: string;
let admin: Client;
beforeAll(async () => {
  world = await startTestService();
  key = await makeInternalKey(world.adminUrl, ["files:write"]);
  admin = new Client({ connectionString: world.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await world.stop();
});

const start = ({ limit, env = {} }: { limit?: string; env?: Record<string, string> } = {}) =>
  startService(
    { ...world.env, RUN: "api", METRICS_PORT: "0", LOG_LEVEL: "info", FILES_AT_ONCE: "4", ...env },
    { limit },
  );

/** Creates a unique PDF of about this size. */
function aPdf(bytes = 20_000): Buffer {
  return Buffer.concat([samplePdf, Buffer.from(`\n%${randomBytes(bytes / 2).toString("hex")}\n%%EOF\n`)]);
}

const ofPlatform = () => ({ authorization: `Bearer ${key}`, "x-cardbridge-platform": "plt_demo_one" });

async function upload(service: ServiceProcess, bytes: Buffer) {
  const body = new FormData();
  body.set("purpose", "supporting_document");
  body.set("file", new File([new Uint8Array(bytes)], "x.pdf"));
  const answer = await fetch(`${service.url}/openapi/v1/files`, {
    method: "POST",
    headers: ofPlatform(),
    body,
  });
  const { status, headers } = answer;
  return { status, headers, body: (await answer.json()) as { fileId: string } };
}

async function open(service: ServiceProcess, fileId: string) {
  const answer = await fetch(`${service.url}/files/${fileId}`, { headers: ofPlatform() });
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
}
const sha256 = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

describe("a process that is killed during uploads", () => {
  it("has stored all acknowledged files, serves no partial one, and sweeps the rest", async () => {
    const taken = new Map<string, string>();
    let broken = 0;
    // On a slow machine all responses may arrive before the kill. Then the test runs more rounds.
    for (let round = 0; round < 3 || broken <= 5 || taken.size <= 5; round += 1) {
      const killedAt = [1, 3, 8][round % 3];
      const service = await start();
      let answered = 0;
      const uploads = Array.from({ length: 12 }, async () => {
        const bytes = aPdf();
        try {
          const { status, body } = await upload(service, bytes);
          if (status === 201) taken.set(body.fileId, sha256(bytes));
          answered += 1;
          if (answered === killedAt) service.child.kill("SIGKILL");
        } catch {
          broken += 1;
        }
      });
      await Promise.all(uploads);
      await service.end("SIGKILL");
    }
    const survivor = await start();
    const { rows } = await admin.query<{ id: string; stored: boolean }>(
      "select id, stored_at is not null as stored from files",
    );
    expect(rows.length).toBeGreaterThanOrEqual(taken.size);
    for (const { id, stored } of rows) {
      const { status, bytes } = await open(survivor, id);
      // Stored but unacknowledged files are complete too: they can be decrypted.
      expect([id, status]).toEqual([id, stored ? 200 : 404]);
      if (taken.has(id)) expect(sha256(bytes)).toBe(taken.get(id));
    }
    await survivor.end("SIGTERM");

    await admin.query("update files set expires_at = now() where stored_at is null");
    const sweeper = await startService({ ...world.env, RUN: "worker", METRICS_PORT: "0" });
    const left = () =>
      admin.query("select from files where stored_at is null").then(({ rowCount }) => rowCount);
    await expect.poll(left).toBe(0);
    const kept = await readdir(world.filesFolder, { withFileTypes: true });
    const names = await admin.query<{ blob_name: string }>("select blob_name from files");
    const known = new Set(names.rows.map(({ blob_name }) => blob_name));
    const blobs = kept.filter((entry) => entry.isFile() && entry.name !== ".store-id");
    expect(blobs.filter(({ name }) => !known.has(name))).toEqual([]);
    await sweeper.end("SIGTERM");
  });
});

describe("a full disk", () => {
  it("results in 507 with STORAGE_FULL; smaller files succeed, and rejected files leave nothing", async () => {
    // The limit of a file's size, in blocks of 512 bytes.
    const service = await start({ limit: "ulimit -f 64" });
    const small = await upload(service, aPdf(8_000));
    expect(small.status).toBe(201);
    const before = await readdir(world.filesFolder, { recursive: true });
    const { status, body } = await upload(service, aPdf(80_000));
    expect([status, body]).toMatchObject([507, { code: "STORAGE_FULL", success: false }]);
    expect(await readdir(world.filesFolder, { recursive: true })).toEqual(before);
    expect((await open(service, small.body.fileId)).status).toBe(200);
    expect(service.output()).not.toMatch(/unexpected error/);
    expect(await service.end("SIGTERM")).toBe(0);
  });
});

describe("an S3 bucket", () => {
  it("stores encrypted files instead of the folder, and a worker deletes them", async () => {
    const folder = await mkdtemp(join(tmpdir(), "cardbridge-s3-"));
    const bucket = "files";
    const store = new S3rver({
      address: "127.0.0.1",
      port: 0,
      silent: true,
      directory: folder,
      configureBuckets: [{ name: bucket, configs: [] }],
    });
    answerWholeObjects(store);
    const { port } = (await store.run()) as unknown as AddressInfo;
    const env = {
      FILES_S3_ENDPOINT: `http://127.0.0.1:${port}`,
      FILES_S3_BUCKET: bucket,
      FILES_S3_ACCESS_KEY_ID: "S3RVER",
      FILES_S3_SECRET_ACCESS_KEY: "S3RVER",
      FILES_DIR: "",
    };
    // The processes that other tests killed count as live for 45 seconds, and had their files in the folder.
    await admin.query("update service_processes set seen_at = 'epoch'");
    const service = await start({ env });
    const bytes = aPdf();
    const { status, body } = await upload(service, bytes);
    expect(status).toBe(201);
    expect(await open(service, body.fileId)).toEqual({ status: 200, bytes });
    // The start wrote the object of its check.
    const objects = async () =>
      (await readdir(folder, { recursive: true })).filter((name) => /(?<!probe)\._\w+_object$/.test(name));
    expect(await objects()).toHaveLength(1);

    await admin.query("update files set expires_at = now() where id = $1", [body.fileId]);
    const sweeper = await startService({ ...world.env, ...env, RUN: "worker", METRICS_PORT: "0" });
    await expect.poll(objects).toEqual([]);
    expect((await open(service, body.fileId)).status).toBe(404);

    await store.close();
    const down = await upload(service, aPdf());
    expect([down.status, down.headers.get("retry-after")]).toEqual([503, expect.any(String)]);
    await Promise.all([service.end("SIGTERM"), sweeper.end("SIGTERM")]);
    await rm(folder, { recursive: true });
  });
});
