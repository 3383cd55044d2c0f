import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readEnv as readConsoleEnv } from "../../../../console/src/server/config/env.ts";
import * as ofConsole from "../../../../console/src/server/config/variables.ts";
import { readEnv, readMigrationEnv } from "../../../src/config/env.ts";
import { secretVariables, variables } from "../../../src/config/variables.ts";
import { imageUser } from "../../support/as-in-the-image.ts";
import { imageEnvironment, opsFile, opsProcesses } from "./ops-files.ts";

/* Every process of the service and of the console that the files of ops start, with its environment, and their image. */

const processes = opsProcesses();
const services = processes.filter(({ program }) => program === "main.js");
const consoles = opsProcesses("cardbridge-console");
const withNames = (shape: object, names: readonly string[]) =>
  new Set([...Object.keys(shape), ...names.map((name) => `${name}_FILE`)]);

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
  "console-key": "cb_int_live_ConsoleOfOps0000000000000ABCDE",
  "oidc-client-secret": "secret-of-the-console",
  "console-redis-url": "rediss://:password@redis.example.com:6379",
};
for (const [name, content] of Object.entries(contents)) writeFileSync(join(secrets, name), content);
/** make-secrets.sh writes a URL without parameters for the database of Compose. */
for (const name of ["database-url", "migration-database-url"])
  writeFileSync(join(secrets, `${name}-of-compose`), contents[name]?.split("?")[0] ?? "");

/** The environment, with its secret files in a folder of this test. */
const withSecrets = (environment: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      name.endsWith("_FILE") ? join(secrets, basename(value)) : value,
    ]),
  );

it.each(["compose", "Kubernetes", "systemd"])("%s has an API, a worker, a migration and a console", (way) => {
  const isOfWay = ({ name }: { name: string }) => name.startsWith(way);
  const runs = services.filter(isOfWay).map(({ environment }) => environment.RUN);
  expect(new Set(runs)).toEqual(new Set(["api", "worker"]));
  const migrations = processes.filter(isOfWay).filter(({ program }) => program === "migrate.js");
  expect(migrations).toHaveLength(1);
  expect(readMigrationEnv(withSecrets(migrations[0]?.environment ?? {}))).toEqual({
    ownerUrl: contents["migration-database-url"],
    serviceUrl: contents["database-url"],
  });
  expect(new Set(consoles.filter(isOfWay).map(({ program }) => program))).toEqual(
    new Set(["console/server/main.js"]),
  );
});

it("a process may use the same memory in each way to deploy", () => {
  const limits = new Map<string, number>();
  for (const { name, program, environment, memoryMiB } of [...processes, ...consoles]) {
    const kind = environment.RUN ?? program;
    expect([name, memoryMiB, memoryMiB > 0]).toEqual([name, limits.get(kind) ?? memoryMiB, true]);
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

it("the units of one machine listen on ports of their own, according to their instance names", () => {
  const isUnit = ({ name }: { name: string }) => name.startsWith("systemd");
  const ports = [
    ...services.filter(isUnit).map(({ name, environment }) => {
      const { PORT, METRICS_PORT } = readEnv(withSecrets(environment));
      return { name, port: PORT, metrics: METRICS_PORT };
    }),
    ...consoles.filter(isUnit).map(({ name, environment }) => {
      const { port, metrics } = readConsoleEnv(withSecrets(environment));
      return { name, port, metrics: metrics.port };
    }),
  ];
  for (const { name, port, metrics } of ports)
    expect([name, metrics]).toEqual([expect.stringContaining(`@${port}.service`), 10_000 + port]);
  expect(ports.length).toBeGreaterThan(3);
  expect(new Set(ports.flatMap(({ port, metrics }) => [port, metrics])).size).toBe(2 * ports.length);
});

it.each([
  ...processes.map((process) => ({ process, known: variables.shape, secret: secretVariables })),
  ...consoles.map((process) => ({
    process,
    known: ofConsole.variables.shape,
    secret: ofConsole.secretVariables,
  })),
])("$process.name has variables that exist, and no secret among them", ({ process, known, secret }) => {
  // The image is that of every program.
  const names = new Set([...withNames(known, secret), ...Object.keys(imageEnvironment)]);
  expect(Object.keys(process.environment).filter((name) => !names.has(name))).toEqual([]);
  expect(secret.filter((name) => name in process.environment)).toEqual([]);
});

it.each(services)("$name starts in production, and ends before it is killed", ({ environment, graceMs }) => {
  const env = readEnv(withSecrets(environment));
  expect(env.NODE_ENV).toBe("production");
  expect(graceMs).toBeGreaterThan(env.SHUTDOWN_DELAY_MS + env.SHUTDOWN_GRACE_MS);
  expect(environment).not.toHaveProperty("MIGRATION_DATABASE_URL_FILE");
});

it.each(consoles)("$name starts in production, and ends before it is killed", (process) => {
  const env = readConsoleEnv(withSecrets(process.environment));
  expect(process.environment.NODE_ENV).toBe("production");
  expect(env).toMatchObject({
    publicUrl: "https://console.example.com",
    issuer: { issuer: "https://id.example.com/realms/staff", audience: "urn:example:cardbridge" },
  });
  expect(process.graceMs).toBeGreaterThan(env.shutdown.delayMs + env.shutdown.graceMs);
  // Several processes share their sessions.
  if (!process.name.startsWith("compose")) expect(env.redisUrl).toBe(contents["console-redis-url"]);
});

describe("the image", () => {
  const dockerfile = opsFile("image/Dockerfile");
  const project = new URL("../../../../../", import.meta.url);
  const textOf = (path: string) => readFileSync(new URL(path, project), "utf8");

  it("has the ports of every process, and a user without rights", () => {
    const { PORT, METRICS_PORT } = variables.shape;
    const { CONSOLE_PORT, CONSOLE_METRICS_PORT } = ofConsole.variables.shape;
    const ports = [PORT, METRICS_PORT, CONSOLE_PORT, CONSOLE_METRICS_PORT].map((each) =>
      each.parse(undefined),
    );
    expect(dockerfile).toContain(`\nEXPOSE ${ports.join(" ")}\n`);
    const known = { ...variables.shape, ...ofConsole.variables.shape };
    expect(Object.keys(imageEnvironment).filter((name) => !(name in known))).toEqual([]);
    expect(dockerfile).toContain(`\nUSER ${imageUser}:${imageUser}\n`);
    expect(opsFile("kubernetes/base/api.yaml")).toContain(`runAsUser: ${imageUser}`);
  });

  it("is built with every program that ops starts", () => {
    const build = textOf("apps/api/build.mjs");
    for (const { program } of processes) expect(build).toContain(`src/${program.replace(".js", ".ts")}`);
    expect(textOf("apps/console/build.mjs")).toMatch(/src\/server\/main\.ts[\s\S]*outdir: "dist\/server"/);
  });
});
