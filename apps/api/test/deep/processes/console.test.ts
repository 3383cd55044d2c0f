import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startService } from "../../support/service-process.ts";

let folder: string;
let program: string;
/** Behaves as the console: it serves its port, prints its address, and ends with its parent. */
const stub = `
import { createServer } from "node:http";
const [, port, , url] = process.argv.slice(2);
createServer((_request, response) => response.end(url)).listen(port, "127.0.0.1", () => {
  console.log("The console is ready: http://127.0.0.1:" + port);
});
process.on("disconnect", () => process.exit(0));
`;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cardbridge-console-"));
  program = join(folder, "console.mjs");
  await writeFile(program, stub);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const addressIn = (output: string) => /The console is ready: (\S+)/.exec(output)?.[1] ?? "";
const serves = (url: string) =>
  fetch(url).then(
    (response) => response.text(),
    () => "nothing",
  );
const freePort = async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  return { port, close: () => new Promise((resolve) => server.close(resolve)) };
};

describe("the console of npm start", () => {
  it("starts after the service, on another port if its own is in use, and ends with the service", async () => {
    const taken = await freePort();
    const env = { DATA_DIR: join(folder, "data") };
    const args = ["--console-program", program, "--console-port", String(taken.port)];
    const service = await startService(env, { args });
    await expect.poll(service.output).toContain("The console is ready");
    const output = service.output();
    expect(output).toContain(
      `Port ${taken.port} is in use: the console uses another one. --console-port chooses it.`,
    );
    expect(output.indexOf("cardbridge is ready")).toBeLessThan(output.indexOf("The console is ready"));
    expect(await serves(addressIn(output))).toBe(service.url);
    expect(await service.end("SIGTERM")).toBe(0);
    expect(await serves(addressIn(output))).toBe("nothing");
    await taken.close();

    const killed = await startService(env, { args });
    await expect.poll(killed.output).toContain("The console is ready");
    const url = addressIn(killed.output());
    expect(await killed.end("SIGKILL")).toBe("SIGKILL");
    await expect.poll(() => serves(url)).toBe("nothing");
  });

  it("leaves the service running if it fails, with one line", async () => {
    const broken = join(folder, "broken.mjs");
    await writeFile(broken, "process.exit(1);\n");
    const service = await startService(
      { DATA_DIR: join(folder, "data") },
      { args: ["--console-program", broken] },
    );
    const line = "The console is not running; the service is. npm run console says why.\n";
    await expect.poll(service.output).toContain(line);
    expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
    expect(await service.end("SIGTERM")).toBe(0);
    expect(service.output().split(line)).toHaveLength(2);
  });

  it("is not started without its program", async () => {
    const service = await startService({ DATA_DIR: join(folder, "data") });
    expect(await service.end("SIGTERM")).toBe(0);
    expect(service.output()).not.toMatch(/the console/i);
  });
});
