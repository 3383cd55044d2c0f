import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readEnv } from "../../../../console/src/server/config/env.ts";
import { secretVariables, variables } from "../../../../console/src/server/config/variables.ts";
import { imageUser } from "../../support/as-in-the-image.ts";
import { imageStage, kubernetesObjects, opsFile, opsProcesses } from "../../support/ops.ts";

/* Every process of the console that the files of ops start, with its environment. */

const processes = opsProcesses("cardbridge-console");

const secrets = mkdtempSync(join(tmpdir(), "cardbridge-ops-"));
afterAll(() => rmSync(secrets, { recursive: true }));
const contents: Record<string, string> = {
  "console-key": "cb_int_live_ConsoleOfOps0000000000000ABCDE",
  "oidc-client-secret": "secret-of-the-console",
  "console-redis-url": "rediss://:password@redis.example.com:6379",
};
for (const [name, content] of Object.entries(contents)) writeFileSync(join(secrets, name), content);

/** The environment, with its secret files in a folder of this test. */
const withSecrets = (environment: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      name.endsWith("_FILE") ? join(secrets, basename(value)) : value,
    ]),
  );

const known = new Set([...Object.keys(variables.shape), ...secretVariables.map((name) => `${name}_FILE`)]);
const stage = imageStage("cardbridge-console");

it("each way to deploy has the console, with the same program and the same memory", () => {
  for (const way of ["compose", "Kubernetes", "systemd"])
    expect([way, processes.some(({ name }) => name.startsWith(way))]).toEqual([way, true]);
  expect(new Set(processes.map(({ program }) => program))).toEqual(new Set(["server/main.js"]));
  expect(new Set(processes.map(({ memoryMiB }) => memoryMiB))).toEqual(new Set([512]));
});

describe.each(processes)("$name", ({ environment, graceMs }) => {
  it("starts in production with its environment, in which each variable exists and none is secret", () => {
    expect(Object.keys(environment).filter((name) => !known.has(name))).toEqual([]);
    expect(secretVariables.filter((name) => name in environment)).toEqual([]);
    expect(environment.NODE_ENV).toBe("production");
    expect(readEnv(withSecrets(environment))).toMatchObject({
      publicUrl: "https://console.example.com",
      issuer: { issuer: "https://id.example.com/realms/staff", audience: "urn:example:cardbridge" },
    });
  });

  it("is killed only after the shutdown's delay and grace period", () => {
    const { delayMs, graceMs: ownGraceMs } = readEnv(withSecrets(environment)).shutdown;
    expect(graceMs).toBeGreaterThan(delayMs + ownGraceMs);
  });
});

it("several processes share their sessions in Redis", () => {
  for (const { name, environment } of processes.filter((one) => !one.name.startsWith("compose")))
    expect([name, readEnv(withSecrets(environment)).redisUrl]).toEqual([name, contents["console-redis-url"]]);
});

it("the units of one machine have ports of their own, which no unit of the service has", () => {
  const own = processes
    .filter(({ name }) => name.startsWith("systemd"))
    .flatMap(({ name, environment }) => {
      const { port, metrics } = readEnv(withSecrets(environment));
      expect([name, metrics.port]).toEqual([expect.stringContaining(`@${port}.service`), 10_000 + port]);
      return [port, metrics.port];
    });
  const others = opsProcesses()
    .filter(({ name }) => name.startsWith("systemd"))
    .flatMap(({ environment }) => [Number(environment.PORT), Number(environment.METRICS_PORT)]);
  expect(own.length).toBeGreaterThan(2);
  expect(own.filter((port, index) => own.indexOf(port) !== index || others.includes(port))).toEqual([]);
});

it("the image has the program, the ports and the user, and its health check an existing path", () => {
  const ports = [variables.shape.CONSOLE_PORT, variables.shape.CONSOLE_METRICS_PORT].map((port) =>
    port.parse(undefined),
  );
  expect(stage).toContain(`\nEXPOSE ${ports.join(" ")}\n`);
  expect(stage).toContain(`process.env.CONSOLE_PORT || ${ports[0]}}/health/live`);
  expect(opsFile("image/Dockerfile")).toContain(
    `\nUSER ${imageUser}:${imageUser}\n\nFROM runtime AS console`,
  );
  const build = readFileSync(new URL("../../../../console/build.mjs", import.meta.url), "utf8");
  expect(build).toContain('outdir: "dist/server"');
  expect(build).toContain("src/server/main.ts");
});

it("the pods have the ports of the program, and probes of its health", () => {
  const [container] =
    kubernetesObjects("console").find(({ kind }) => kind === "Deployment")?.spec.template?.spec.containers ??
    [];
  expect(container?.ports).toEqual([
    { name: "http", containerPort: variables.shape.CONSOLE_PORT.parse(undefined) },
    { name: "metrics", containerPort: variables.shape.CONSOLE_METRICS_PORT.parse(undefined) },
  ]);
  const paths = JSON.stringify(container).match(/(?<="path":")[^"]+/g);
  expect(paths).toEqual(["/health/live", "/health/live", "/health/ready"]);
});
