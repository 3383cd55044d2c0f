import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestDatabase } from "@cardbridge/service/database/testing";
import { Client } from "pg";
import { expect, inject, it, onTestFinished } from "vitest";
import { startIssuer } from "../../support/issuer.ts";
import { productionEnv } from "../../support/production-env.ts";
import { runCli, runToEnd, startService } from "../../support/service-process.ts";

/** The environment of a production with a database of its own, which lacks nothing. */
async function production(options: { empty?: boolean } = {}) {
  const folder = await mkdtemp(join(tmpdir(), "cardbridge-check-"));
  const database = await createTestDatabase(inject("postgres"), options);
  const issuer = await startIssuer();
  onTestFinished(async () => {
    await issuer.stop();
    await database.drop();
    await rm(folder, { recursive: true });
  });
  const env = {
    ...productionEnv(folder, database),
    ...issuer.env,
    // Any server does: the check reads no answer.
    PROVIDER_URL: issuer.issuer,
    PROVIDER_EVENTS_SECRETS: `whsec_${randomBytes(24).toString("base64")}`,
    FOUR_EYES: "on",
    RETENTION_DAYS: "365",
    CLAMD_URL: "tcp://127.0.0.1:1",
  };
  /** Records a success of cardbridge-backup. */
  async function record(step: string, kind: string): Promise<void> {
    const admin = new Client({ connectionString: database.adminUrl });
    await admin.connect();
    await admin.query("insert into backups (step, kind, ok) values ($1, $2, true)", [step, kind]);
    await admin.end();
  }
  return { env, folder, record };
}

const check = (env: Record<string, string>) => runToEnd("main.js", env, { args: ["--check"] });

/** The findings of an output, each as its result and its part. Test servers do not wait for the disk. */
const findingsIn = (output: string) =>
  [...output.matchAll(/^(ok|warning|error) +(\w+)/gm)]
    .map(([, ...one]) => one.join(" "))
    .filter((one) => one !== "warning database");

it("a production that lacks nothing would work, and the check claims no environment and counts as no process", async () => {
  const { env, folder, record } = await production();
  const { code, output } = await check(env);
  expect([code, findingsIn(output)]).toEqual([
    0,
    ["ok configuration", "ok database", "ok keys", "ok files", "ok provider", "ok persons"],
  ]);
  expect(output).toContain("The first start creates the folder.");
  // Root may run the check, so it leaves the folder to the service.
  expect(await readdir(folder)).toEqual([]);
  // The environment is still free: the first start decides.
  const live = { ...env, ENVIRONMENT: "live" };
  const before = await check(live);
  expect([before.code, before.output.match(/^warning +backups .*$/m)?.[0]]).toEqual([
    0,
    expect.stringContaining(
      "No backup is recorded: run cardbridge-backup by a timer, unless your PostgreSQL service",
    ),
  ]);
  await record("made", "base");
  expect((await check(live)).output).toMatch(/^warning +backups +No backup was verified: /m);
  await record("verified", "base");
  expect((await check(live)).output).toMatch(
    /^ok +backups +The last base backup was made 0 hours ago, and one was verified 0 hours ago\.$/m,
  );
  const service = await startService(env);
  expect((await check(live)).output).toContain(
    "error    database       DATABASE_URL: The database has the environment test",
  );
  expect(await service.end("SIGTERM")).toBe(0);
  expect((await check(env)).output).toContain("The store can be written and read.");
});

it("the command line finds the same, and ends with 1 after an error", async () => {
  const { env } = await production({ empty: true });
  const [program, command] = [await check(env), await runCli(["check"], env)];
  expect([program.code, command.code]).toEqual([1, 1]);
  expect(command.stdout).toBe(program.output);
  expect(command.stderr).toBe("Correct the errors, and check again.\n");
  expect(program.output).toMatch(/^error +database +DATABASE_URL: The database lacks migrations: 0000/m);
});

it("each part that is wrong is an error or a warning, and no output has a secret or an address", async () => {
  const { env, folder } = await production();
  await writeFile(join(folder, "files"), "");
  const unreachable = "http://127.0.0.1:1/a-secret-path";
  const wrong = {
    PROVIDER_URL: unreachable,
    PERSONS_ISSUER: unreachable,
    RATE_LIMIT_REDIS_URL: "redis://:a-secret@127.0.0.1:1",
  };
  const { code, output } = await check({
    ...env,
    ...wrong,
    FOUR_EYES: "off",
    RETENTION_DAYS: "",
    CLAMD_URL: "",
  });
  expect([code, findingsIn(output)]).toEqual([1, ["error configuration"]]);
  await rm(join(folder, "files"));
  const later = await check({ ...env, ...wrong, FOUR_EYES: "off", RETENTION_DAYS: "", CLAMD_URL: "" });
  expect([later.code, findingsIn(later.output)]).toEqual([
    1,
    [
      ...["ok configuration", "warning operators", "warning retention", "warning files"],
      ...["ok database", "ok keys", "ok files", "error provider", "warning rates", "error persons"],
    ],
  ]);
  expect(output + later.output).not.toMatch(/secret|127\.0\.0\.1/);
});

it("a variable that no version knows is an error", async () => {
  const { env } = await production();
  const { code, output } = await check({ ...env, PROVIDER_TIMEOUT_SECONDS: "5" });
  expect(output).toMatch(/^error +configuration +PROVIDER_TIMEOUT_SECONDS is not known: remove it\.$/m);
  expect(code).toBe(1);
});
