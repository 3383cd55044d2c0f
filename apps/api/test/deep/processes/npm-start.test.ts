import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startService } from "../../support/service-process.ts";

/** What npm start runs beside the service: the console, and the build of the documentation. */
let home: string;
let args: string[];
let env: Record<string, string>;

/** Behaves as the console: it serves its port, prints its address, and ends with its parent. */
const consoleProgram = `
import { createServer } from "node:http";
const [, port, , url] = process.argv.slice(2);
createServer((_request, response) => response.end(url)).listen(port, "127.0.0.1", () => {
  console.log("The console is ready: http://127.0.0.1:" + port);
});
process.on("disconnect", () => process.exit(0));
`;
/** Behaves as the build of the documentation: it ends with its parent, and builds once a file allows it to. */
const docsProgram = (folder: string, state: string) => `
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
writeFileSync(${JSON.stringify(`${state}/running`)}, String(process.pid));
process.on("disconnect", () => {
  rmSync(${JSON.stringify(`${state}/running`)});
  process.exit(0);
});
setInterval(() => {
  if (!existsSync(${JSON.stringify(`${state}/go`)})) return;
  mkdirSync(${JSON.stringify(folder)}, { recursive: true });
  writeFileSync(${JSON.stringify(`${folder}/index.html`)}, "<h1>Overview</h1>");
  writeFileSync(${JSON.stringify(`${folder}/csp.json`)}, '{ "scripts": [] }');
  process.exit(0);
}, 20);
`;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "cardbridge-npm-start-"));
  await mkdir(join(home, "state"));
  await writeFile(join(home, "console.mjs"), consoleProgram);
  await writeFile(join(home, "build.mjs"), docsProgram(join(home, "site"), join(home, "state")));
  await writeFile(join(home, "broken.mjs"), "process.exit(1);\n");
  env = { DATA_DIR: join(home, "data") };
  args = ["--docs-folder", join(home, "site"), "--docs-program", join(home, "build.mjs")];
});
afterAll(() => rm(home, { recursive: true, force: true }));

const builds = () =>
  readFile(join(home, "state", "running"), "utf8").then(
    () => true,
    () => false,
  );
const consoleIn = (output: string) => /The console is ready: (\S+)/.exec(output)?.[1] ?? "";
const textOf = (url: string) =>
  fetch(url).then(
    (response) => response.text(),
    () => "nothing",
  );

it("starts both after the service, and both end with it, even after SIGKILL", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => taken.once("listening", resolve));
  const { port } = taken.address() as AddressInfo;
  const withConsole = [
    ...args,
    "--console-program",
    join(home, "console.mjs"),
    "--console-port",
    String(port),
  ];
  const killed = await startService(env, { args: withConsole });
  await expect.poll(killed.output).toContain("The console is ready");
  await expect.poll(builds).toBe(true);
  const output = killed.output();
  expect(output).toContain(
    `Port ${port} is in use: the console uses another one. --console-port chooses it.`,
  );
  expect(output.indexOf("cardbridge is ready")).toBeLessThan(output.indexOf("The console is ready"));
  expect(await textOf(consoleIn(output))).toBe(killed.url);
  expect((await fetch(`${killed.url}/docs`)).status).toBe(503);
  expect(output).not.toContain("/docs");
  expect(await killed.end("SIGKILL")).toBe("SIGKILL");
  await expect.poll(() => textOf(consoleIn(output))).toBe("nothing");
  await expect.poll(builds).toBe(false);

  const first = await startService(env, { args: withConsole });
  await writeFile(join(home, "state", "go"), "");
  await expect.poll(first.output).toContain(`The documentation is ready: ${first.url}/docs\n`);
  await expect.poll(first.output).toContain("The console is ready");
  expect(await textOf(`${first.url}/docs`)).toBe("<h1>Overview</h1>");
  expect(await first.end("SIGTERM")).toBe(0);
  expect(await textOf(consoleIn(first.output()))).toBe("nothing");
  await new Promise((resolve) => taken.close(resolve));
});

it("prints the address of documentation that is built already among the others", async () => {
  const service = await startService(env, { args });
  expect(service.output()).toContain(`  Docs        ${service.url}/docs\n`);
  expect(await service.end("SIGTERM")).toBe(0);
  expect(service.output()).not.toMatch(/The documentation is|the console/i);
});

it("leaves the service running if they fail, with one line for each", async () => {
  const broken = join(home, "broken.mjs");
  const failing = [
    "--docs-folder",
    join(home, "none"),
    "--docs-program",
    broken,
    "--console-program",
    broken,
  ];
  const service = await startService(env, { args: failing });
  const lines = [
    "The documentation is not built; the service runs. npm run docs:build says why.\n",
    "The console is not running; the service is. npm run console says why.\n",
  ];
  for (const line of lines) await expect.poll(service.output).toContain(line);
  expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
  expect(await service.end("SIGTERM")).toBe(0);
  for (const line of lines) expect(service.output().split(line)).toHaveLength(2);
});
