import { randomBytes } from "node:crypto";
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestDatabase, type TestDatabase } from "@cardbridge/store/testing";
import S3rver from "s3rver";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { version } from "../../../src/process/version.ts";
import { runToEnd, startService } from "../../support/service-process.ts";
import { unusedPort } from "../../support/unused-port.ts";

/** The output of a production start: no development hints, and one sentence per error. */
let folder: string;
let database: TestDatabase;
let env: Record<string, string>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cardbridge-production-"));
  database = await createTestDatabase(inject("postgres"));
  env = {
    NODE_ENV: "production",
    ENVIRONMENT: "test",
    PORT: "0",
    METRICS_PORT: "0",
    PUBLIC_URL: "https://cards.example.com",
    FILES_DIR: join(folder, "files"),
    DATABASE_URL: database.serviceUrl,
    PROVIDER_URL: "http://127.0.0.1:1",
    PROVIDER_CLIENT_ID: "id",
    PROVIDER_CLIENT_SECRET: "a-secret-of-length",
    FINGERPRINT_KEY: randomBytes(32).toString("base64"),
    KEY_RING: `1:${randomBytes(32).toString("base64")}`,
  };
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

describe("an unusable FILES_DIR", () => {
  it.each([
    [
      "lies under a file",
      async () => {
        await writeFile(join(folder, "file"), "");
        return join(folder, "file", "files");
      },
      "is under a file, which is not a folder (ENOTDIR).",
    ],
    [
      "is a file",
      async () => {
        await writeFile(join(folder, "other"), "");
        return join(folder, "other");
      },
      /\((ENOTDIR|EEXIST)\)\.$/,
    ],
    ["cannot be created", async () => "/sys/cardbridge", /\((EACCES|EROFS|EPERM)\)\.$/],
  ])("(it %s) is reported with all other errors, without a stack", async (_, make, problem) => {
    const filesDir = await make();
    const { code, output } = await runToEnd("main.js", { ...env, FILES_DIR: filesDir, PORT: "many" });
    expect(code).toBe(1);
    const [title, port, files = "", ...more] = output.trim().split("\n");
    expect([title, port]).toEqual([
      "The configuration is invalid:",
      "  - PORT: Set a whole number from 0 to 65535.",
    ]);
    expect(files).toContain(`  - FILES_DIR: ${filesDir} `);
    expect(files).toMatch(problem);
    expect(more).toEqual([]);
  });

  it("leaves no file in a usable folder", async () => {
    const readable = join(folder, "tried");
    await mkdir(readable);
    await chmod(readable, 0o700);
    const { output } = await runToEnd("main.js", { ...env, FILES_DIR: readable, PORT: "many" });
    expect(output).not.toContain("FILES_DIR");
    expect(await readdir(readable, { recursive: true })).toEqual([".unfinished"]);
  });
});

it("reports a port in use, with the variable to set", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => other.once("listening", resolve));
  const { port } = other.address() as AddressInfo;
  const { code, output } = await runToEnd("main.js", { ...env, PORT: String(port) });
  other.close();
  expect([code, output.trim()]).toEqual([
    1,
    `Port ${port} on 127.0.0.1 is in use by another process. Stop it, or use another port: PORT=${port + 1}`,
  ]);
});

it("exits with the reason when its bucket is missing", async () => {
  const directory = join(folder, "s3");
  const server = new S3rver({ address: "127.0.0.1", port: 0, silent: true, directory });
  const { port } = await server.run();
  const { FILES_DIR: _, ...others } = env;
  const { code, output } = await runToEnd("main.js", {
    ...others,
    FILES_S3_ENDPOINT: `http://127.0.0.1:${port}`,
    FILES_S3_BUCKET: "nowhere",
    FILES_S3_ACCESS_KEY_ID: "S3RVER",
    FILES_S3_SECRET_ACCESS_KEY: randomBytes(24).toString("hex"),
  });
  await server.close();
  expect([code, output.trim().split("\n")]).toEqual([
    1,
    [
      "The configuration is invalid:",
      "  - FILES_S3_BUCKET: The file store cannot be used: there is no bucket of this name (NoSuchBucket).",
    ],
  ]);
});

it("starts while the endpoint of its bucket is down, with a warning", async () => {
  const port = await unusedPort();
  const { FILES_DIR: _, ...others } = env;
  const service = await startService({
    ...others,
    RUN: "api",
    FILES_S3_ENDPOINT: `http://127.0.0.1:${port}`,
    FILES_S3_BUCKET: "files",
    FILES_S3_ACCESS_KEY_ID: "S3RVER",
    FILES_S3_SECRET_ACCESS_KEY: randomBytes(24).toString("hex"),
  });
  expect(await service.end("SIGTERM")).toBe(0);
  const [line = ""] = service.output().match(/^\{.*"files_unusable".*\}$/m) ?? [];
  expect(JSON.parse(line)).toMatchObject({ level: 40, reason: "ECONNREFUSED" });
});

it("logs its start and its stop with the version and the commit", async () => {
  const commit = "8e45e8600000000000000000000000000000abcd";
  const service = await startService({ ...env, RUN: "api", LOG_LEVEL: "info", COMMIT: commit });
  expect(await service.end("SIGTERM")).toBe(0);
  const lines =
    service
      .output()
      .match(/^\{.*\}$/gm)
      ?.map((line) => JSON.parse(line)) ?? [];
  const labels = { time: expect.any(String), level: 30, version, commit, environment: "test", run: "api" };
  expect(lines.at(0)).toEqual({ ...labels, msg: "service_started" });
  expect(lines.at(-1)).toEqual({ ...labels, msg: "service_stopped", reason: "SIGTERM" });
});

it.each(["all", "api", "worker"])(
  "with RUN=%s every printed address returns 200, and no output assumes a terminal",
  async (run) => {
    const service = await startService({ ...env, RUN: run });
    const addresses = service.output().match(/http:\/\/\S+/g) ?? [];
    const paths = addresses.map((address) => new URL(address).pathname);
    expect(paths).toEqual([...(run === "worker" ? ["/health/ready"] : ["/", "/docs"]), "/metrics"]);
    for (const address of addresses) expect([address, (await fetch(address)).status]).toEqual([address, 200]);
    expect(await service.end("SIGTERM")).toBe(0);
    expect(service.output()).not.toMatch(/Ctrl-C|npm/);
  },
);
