import { createHash, randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeInternalKey } from "./support/keys.ts";
import { samplePdf } from "./support/samples.ts";
import { type ServiceProcess, startService } from "./support/service-process.ts";
import { startWorld } from "./support/world.ts";

/** Uploads to real processes that are killed, or whose disk is full. */
let world: Awaited<ReturnType<typeof startWorld>>;
let key: string;
let admin: Client;
beforeAll(async () => {
  world = await startWorld();
  key = await makeInternalKey(world.adminUrl, ["files:write"]);
  admin = new Client({ connectionString: world.adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await world.stop();
});

const start = (limit?: string) =>
  startService({ ...world.env, RUN: "api", METRICS_PORT: "0", LOG_LEVEL: "info", FILES_AT_ONCE: "4" }, limit);

/** A PDF that no other one equals, of about so many bytes. */
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

describe("a process that is killed while it takes files", () => {
  it("has kept what it said that it kept, whole, and serves nothing else; the rest is swept", async () => {
    const taken = new Map<string, string>();
    for (const killedAfter of [30, 60, 120, 240, 480]) {
      const service = await start();
      const uploads = Array.from({ length: 12 }, async () => {
        const bytes = aPdf();
        const { status, body } = await upload(service, bytes).catch(() => ({ status: 0, body: undefined }));
        if (status === 201 && body) taken.set(body.fileId, sha256(bytes));
      });
      await delay(killedAfter);
      await service.end("SIGKILL");
      await Promise.all(uploads);
    }
    const survivor = await start();
    const { rows } = await admin.query<{ id: string; stored: boolean }>(
      "select id, stored_at is not null as stored from files",
    );
    expect(rows.length).toBeGreaterThan(taken.size);
    expect(taken.size).toBeGreaterThan(0);
    for (const { id, stored } of rows) {
      const { status, bytes } = await open(survivor, id);
      // What was stored and not acknowledged is whole too: it decrypts.
      expect([id, status]).toEqual([id, stored ? 200 : 404]);
      if (taken.has(id)) expect(sha256(bytes)).toBe(taken.get(id));
    }
    await survivor.end("SIGTERM");

    await admin.query("update files set expires_at = now() where stored_at is null");
    const sweeper = await startService({ ...world.env, RUN: "worker", METRICS_PORT: "0" });
    const left = () =>
      admin.query("select from files where stored_at is null").then(({ rowCount }) => rowCount);
    await expect.poll(left, { timeout: 30_000 }).toBe(0);
    const kept = await readdir(world.filesFolder, { withFileTypes: true });
    const names = await admin.query<{ blob_name: string }>("select blob_name from files");
    const known = new Set(names.rows.map(({ blob_name }) => blob_name));
    expect(kept.filter((entry) => entry.isFile() && !known.has(entry.name))).toEqual([]);
    await sweeper.end("SIGTERM");
  });
});

describe("a disk that is full", () => {
  it("is 507, in so many words; smaller files still go in, and nothing is left of the others", async () => {
    // In blocks of 512 bytes: no file may become larger.
    const service = await start("ulimit -f 64");
    const small = await upload(service, aPdf(8_000));
    expect(small.status).toBe(201);
    const before = await readdir(world.filesFolder, { recursive: true });
    const { status, body } = await upload(service, aPdf(80_000));
    expect([status, body]).toMatchObject([507, { code: "STORAGE_FULL", success: false }]);
    expect(await readdir(world.filesFolder, { recursive: true })).toEqual(before);
    expect((await open(service, small.body.fileId)).status).toBe(200);
    expect(service.output()).not.toMatch(/unforeseen/);
    expect(await service.end("SIGTERM")).toBe(0);
  });
});

describe("many uploads at once", () => {
  it("wait for their turn, or are told to come back; the service lives on", async () => {
    const service = await start();
    const answers = await Promise.all(Array.from({ length: 200 }, () => upload(service, aPdf(200_000))));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status !== 201 && status !== 503)).toEqual([]);
    for (const { status, headers } of answers)
      if (status === 503) expect(headers.get("retry-after")).not.toBeNull();
    expect(statuses).toContain(201);
    expect((await upload(service, aPdf())).status).toBe(201);
    expect(await service.end("SIGTERM")).toBe(0);
  });
});
