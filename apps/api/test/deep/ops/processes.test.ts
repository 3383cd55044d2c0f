import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readEnv, readMigrationEnv } from "../../../src/config/env.ts";
import { secretVariables, variables } from "../../../src/config/variables.ts";
import { opsProcesses } from "../../support/ops.ts";

/* Every process that the files of ops start, with its environment. */

const processes = opsProcesses();
const services = processes.filter(({ program }) => program === "main.js");
const migrations = processes.filter(({ program }) => program === "migrate.js");

const secrets = mkdtempSync(join(tmpdir(), "cardbridge-ops-"));
afterAll(() => rmSync(secrets, { recursive: true }));
const password = randomBytes(24).toString("hex");
const contents: Record<string, string> = {
  "database-url": `postgres://cardbridge_app:${password}@db/cardbridge?sslmode=verify-full`,
  "migration-database-url": `postgres://cardbridge_owner:${password}@db/cardbridge?sslmode=verify-full`,
  "provider-client-secret": randomBytes(24).toString("hex"),
  "provider-events-secrets": `whsec_${randomBytes(24).toString("base64")}`,
  "fingerprint-key": randomBytes(48).toString("base64"),
  "key-ring": `1:${randomBytes(32).toString("base64")}`,
  "s3-secret-access-key": randomBytes(24).toString("hex"),
};
for (const [name, content] of Object.entries(contents)) writeFileSync(join(secrets, name), content);

/** make-secrets.sh writes a URL without parameters for the database of Compose. */
for (const name of ["database-url", "migration-database-url"])
  writeFileSync(join(secrets, `${name}-of-compose`), contents[name]?.split("?")[0] ?? "");

/** The environment, with its secret files in a folder of this test. */
function withSecrets(environment: Record<string, string>): Record<string, string> {
  const entries = Object.entries(environment);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, name.endsWith("_FILE") ? join(secrets, basename(value)) : value]),
  );
}

const known = new Set([...Object.keys(variables.shape), ...secretVariables.map((name) => `${name}_FILE`)]);

it("each way to deploy has an API, a worker and a migration", () => {
  for (const way of ["compose", "Kubernetes", "systemd"]) {
    const runs = services.filter(({ name }) => name.startsWith(way)).map((one) => one.environment.RUN);
    expect([way, new Set(runs)]).toEqual([way, new Set(["api", "worker"])]);
    expect(migrations.filter(({ name }) => name.startsWith(way))).toHaveLength(1);
  }
});

it("a process may use the same memory in each way to deploy", () => {
  const limits = new Map<string, number>();
  for (const { name, program, environment, memoryMiB } of processes) {
    const kind = environment.RUN ?? program;
    expect([name, memoryMiB]).toEqual([name, limits.get(kind) ?? expect.any(Number)]);
    expect([name, memoryMiB > 0]).toEqual([name, true]);
    limits.set(kind, memoryMiB);
  }
});

it("the processes of Compose accept the URLs of make-secrets.sh, without TLS in their own network", () => {
  const ofCompose = processes.filter(({ name }) => name.startsWith("compose"));
  for (const { program, environment } of ofCompose) {
    const given = withSecrets(environment);
    for (const name of ["DATABASE_URL_FILE", "MIGRATION_DATABASE_URL_FILE"])
      if (given[name]) given[name] += "-of-compose";
    const read = program === "migrate.js" ? readMigrationEnv : readEnv;
    expect(() => read(given)).not.toThrow();
    expect(() => read({ ...given, INSECURE_CONNECTIONS: "" })).toThrow("INSECURE_CONNECTIONS=database");
  }
});

it("the units of one machine listen on separate ports, according to their instance names", () => {
  const ports = services
    .filter(({ name }) => name.startsWith("systemd"))
    .map(({ name, environment }) => {
      const { PORT, METRICS_PORT } = readEnv(withSecrets(environment));
      expect([name, METRICS_PORT]).toEqual([expect.stringContaining(`@${PORT}.service`), 10_000 + PORT]);
      return [PORT, METRICS_PORT];
    });
  expect(ports.length).toBeGreaterThan(2);
  expect(new Set(ports.flat()).size).toBe(2 * ports.length);
});

describe.each(processes)("$name", ({ environment }) => {
  it("sets variables that exist", () => {
    expect(Object.keys(environment).filter((name) => !known.has(name))).toEqual([]);
  });

  it("has no secret in its environment", () => {
    expect(secretVariables.filter((name) => name in environment)).toEqual([]);
  });
});

describe.each(services)("$name", ({ environment, graceMs }) => {
  it("starts in production with its environment", () => {
    expect(readEnv(withSecrets(environment))).toMatchObject({ NODE_ENV: "production" });
  });

  it("is killed only after the shutdown's delay and grace period", () => {
    const { SHUTDOWN_DELAY_MS, SHUTDOWN_GRACE_MS } = readEnv(withSecrets(environment));
    expect(graceMs).toBeGreaterThan(SHUTDOWN_DELAY_MS + SHUTDOWN_GRACE_MS);
  });

  it("does not have the owner's URL", () => {
    expect(environment).not.toHaveProperty("MIGRATION_DATABASE_URL_FILE");
  });
});

it.each(migrations)("$name has both roles' URLs", ({ environment }) => {
  expect(readMigrationEnv(withSecrets(environment))).toEqual({
    ownerUrl: contents["migration-database-url"],
    serviceUrl: contents["database-url"],
  });
});
