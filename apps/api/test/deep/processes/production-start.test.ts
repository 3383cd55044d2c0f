import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { version } from "@cardbridge/node";
import { createTestDatabase, type TestDatabase } from "@cardbridge/service/database/testing";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { productionEnv } from "../../support/production-env.ts";
import { runToEnd, startService } from "../../support/service-process.ts";

/** The output of a production start: no development hints, and one sentence per error. */
let folder: string;
let database: TestDatabase;
let env: Record<string, string>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cardbridge-production-"));
  database = await createTestDatabase(inject("postgres"));
  env = productionEnv(folder, database);
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

it("reports an unusable FILES_DIR with all other errors, without a stack", async () => {
  const filesDir = join(folder, "file", "files");
  await writeFile(join(folder, "file"), "");
  const missing = { FINGERPRINT_KEY: "", PROVIDER_CLIENT_ID: "", PROVIDER_CLIENT_SECRET: "short" };
  const { code, output } = await runToEnd("main.js", {
    ...env,
    ...missing,
    FILES_DIR: filesDir,
    PORT: "many",
  });
  expect(code).toBe(1);
  const [title, ...reasons] = output.trim().split("\n");
  expect(title).toBe("The configuration is invalid:");
  expect(reasons.sort()).toEqual([
    expect.stringMatching(
      /^ {2}- FILES_DIR: .*file.files is under a file, which is not a folder \(ENOTDIR\)\.$/,
    ),
    expect.stringMatching(/^ {2}- FINGERPRINT_KEY is missing/),
    "  - PORT: Set a whole number from 0 to 65535.",
    "  - PROVIDER_CLIENT_ID is missing.",
    expect.stringMatching(/^ {2}- PROVIDER_CLIENT_SECRET has fewer than 16 characters/),
  ]);
});

it("reports a database that cannot be reached once", async () => {
  const unreachable = { ...env, DATABASE_URL: "postgres://a@127.0.0.1:9/b" };
  const { code, output } = await runToEnd("main.js", unreachable);
  expect(code).toBe(1);
  expect(output.match(/nothing listens at its address/g)).toHaveLength(1);
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
