import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startService } from "../../support/service-process.ts";

let home: string;
let program: string;
let env: Record<string, string>;
let args: string[];
/** Behaves as the build of npm start: it ends with its parent, and builds once a file allows it to. */
const stub = (folder: string, state: string) => `
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
  home = await mkdtemp(join(tmpdir(), "cardbridge-docs-"));
  program = join(home, "build.mjs");
  const folder = join(home, "site");
  await mkdir(join(home, "state"));
  await writeFile(program, stub(folder, join(home, "state")));
  env = { DATA_DIR: join(home, "data") };
  args = ["--docs-folder", folder, "--docs-program", program];
});
afterAll(() => rm(home, { recursive: true, force: true }));

const runs = () =>
  readFile(join(home, "state", "running"), "utf8").then(
    () => true,
    () => false,
  );

describe("the documentation of npm start", () => {
  it("is built after the service is ready, and the build ends with the service, even after SIGKILL", async () => {
    const killed = await startService(env, { args });
    await expect.poll(runs).toBe(true);
    expect((await fetch(`${killed.url}/docs`)).status).toBe(503);
    expect(killed.output()).not.toContain("/docs");
    expect(await killed.end("SIGKILL")).toBe("SIGKILL");
    await expect.poll(runs).toBe(false);
  });

  it("has its address printed when it is built, and among the other addresses after later starts", async () => {
    const first = await startService(env, { args });
    await writeFile(join(home, "state", "go"), "");
    const line = `The documentation is ready: ${first.url}/docs\n`;
    await expect.poll(first.output).toContain(line);
    expect(await (await fetch(`${first.url}/docs`)).text()).toBe("<h1>Overview</h1>");
    expect(await first.end("SIGTERM")).toBe(0);

    const second = await startService(env, { args });
    expect(second.output()).toContain(`  Docs        ${second.url}/docs\n`);
    expect(await second.end("SIGTERM")).toBe(0);
    expect(second.output()).not.toContain("The documentation is");
  });

  it("leaves the service running if its build fails, with one line", async () => {
    const broken = join(home, "broken.mjs");
    await writeFile(broken, "process.exit(1);\n");
    const service = await startService(env, { args: [...args, "--docs-program", broken] });
    const line = "The documentation is not built; the service runs. npm run docs:build says why.\n";
    await expect.poll(service.output).toContain(line);
    expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
    expect(await service.end("SIGTERM")).toBe(0);
    expect(service.output().split(line)).toHaveLength(2);
  });
});
