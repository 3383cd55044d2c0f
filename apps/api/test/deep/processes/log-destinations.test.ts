import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, existsSync, openSync, readSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { errorCode } from "@cardbridge/domain";
import { createTestDatabase, type TestDatabase } from "@cardbridge/service/database/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { endWithTest, runVariables } from "../../support/with-test.ts";
import { runOnTerminal } from "./terminal.ts";

/** The built service works and ends with any state of its log's destination. */
const main = fileURLToPath(new URL("../../../dist/main.js", import.meta.url));
/** More log lines than a pipe or a terminal (64 KB) and the buffer of the service (64 KB) take. */
const requests = 1_500;

let database: TestDatabase;
let folder: string;
let env: Record<string, string>;
beforeAll(async () => {
  database = await createTestDatabase(inject("postgres"));
  folder = await mkdtemp(join(tmpdir(), "cardbridge-log-"));
  env = {
    PORT: "0",
    METRICS_PORT: "0",
    DATA_DIR: folder,
    DATABASE_URL: database.serviceUrl,
    PROVIDER_URL: "http://127.0.0.1:1",
    PROVIDER_CLIENT_ID: "id",
    PROVIDER_CLIENT_SECRET: "a-secret-of-length",
  };
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

/** Starts the service with standard error on a descriptor, or on a socket without a reader. */
async function start(stderr: number | "pipe") {
  const child = spawn(process.execPath, [main], {
    env: { ...runVariables(), ...env },
    stdio: ["ignore", "pipe", stderr],
    detached: true,
  });
  endWithTest(child);
  const exit = once(child, "exit");
  let output = "";
  child.stdout?.setEncoding("utf8").on("data", (chunk) => {
    output += chunk;
  });
  await expect.poll(() => output, { timeout: 300_000 }).toContain("Metrics");
  return { child, exit, output: () => output };
}

const addressOf = (output: string, name: string) => new RegExp(`${name} +(\\S+)`).exec(output)?.[1] ?? "";

/** Sends many requests, each with a log line; returns their statuses. */
async function sendRequests(output: string): Promise<Set<number>> {
  const statuses = new Set<number>();
  const caller = async () => {
    for (let sent = 0; sent < requests / 10; sent += 1) {
      const response = await fetch(`${addressOf(output, "Address")}/nowhere`);
      await response.arrayBuffer();
      statuses.add(response.status);
    }
  };
  await Promise.all(Array.from({ length: 10 }, caller));
  return statuses;
}

async function droppedLines(output: string): Promise<number> {
  const text = await (await fetch(addressOf(output, "Metrics"))).text();
  return Number(/^cardbridge_log_lines_dropped_total (\d+)$/m.exec(text)?.[1]);
}

/** A system pipe. Node's pipes to a child process are sockets. */
function openPipe(name: string) {
  const path = join(folder, name);
  execFileSync("mkfifo", [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return { path, reader, writer: openSync(path, constants.O_WRONLY) };
}

/** Reads the available bytes of a pipe; an empty text if there are none. */
function readOrNothing(pipe: number, bytes: Buffer): string {
  try {
    return bytes.toString("utf8", 0, readSync(pipe, bytes));
  } catch (error) {
    if (errorCode(error) === "EAGAIN") return "";
    throw error;
  }
}

describe("the service responds, counts dropped lines, and ends on SIGTERM with a log on", () => {
  const cases: [string, () => { stderr: number; afterStart?(): void }][] = [
    [
      "a pipe whose reader is closed",
      () => {
        const { reader, writer } = openPipe("closed");
        return { stderr: writer, afterStart: () => closeSync(reader) };
      },
    ],
    // Linux has a device that is always full.
    ...(existsSync("/dev/full")
      ? [
          ["a full disk", () => ({ stderr: openSync("/dev/full", "w") })] as [
            string,
            () => { stderr: number },
          ],
        ]
      : []),
  ];

  it.each(cases)("%s", async (_, destination) => {
    const { stderr, afterStart } = destination();
    const service = await start(stderr);
    closeSync(stderr);
    afterStart?.();
    expect(await sendRequests(service.output())).toEqual(new Set([404]));
    expect(await droppedLines(service.output())).toBeGreaterThan(0);
    service.child.kill("SIGTERM");
    expect(await service.exit).toEqual([0, null]);
  });

  it("a terminal that is paused", async () => {
    const terminal = await runOnTerminal(main, env, "detached");
    await expect.poll(terminal.output, { timeout: 300_000 }).toContain("Metrics");
    terminal.pause();
    expect(await sendRequests(terminal.output())).toEqual(new Set([404]));
    expect(await droppedLines(terminal.output())).toBeGreaterThan(0);
    await terminal.kill("SIGTERM");
    expect(await terminal.ended()).toBe("0");
  });

  it("a closed terminal", async () => {
    const terminal = await runOnTerminal(main, env, "detached");
    await expect.poll(terminal.output, { timeout: 300_000 }).toContain("Metrics");
    await terminal.close();
    expect(await sendRequests(terminal.output())).toEqual(new Set([404]));
    expect(await droppedLines(terminal.output())).toBeGreaterThanOrEqual(requests);
    await terminal.kill("SIGTERM");
    expect(await terminal.ended()).toBe("0");
  });
});

it("a pipe that is not read, and whose reader is closed, takes the later lines once a reader returns", async () => {
  const { path, reader, writer } = openPipe("returning");
  const service = await start(writer);
  closeSync(writer);
  expect(await sendRequests(service.output())).toEqual(new Set([404]));
  expect(await droppedLines(service.output())).toBeGreaterThan(0);
  closeSync(reader);
  await sendRequests(service.output());
  const later = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const response = await fetch(`${addressOf(service.output(), "Address")}/nowhere`);
  const requestId = response.headers.get("x-request-id");
  const bytes = Buffer.alloc(65_536);
  let log = "";
  // Lines of the last requests before the reader returned can follow as well.
  await expect
    .poll(() => (log += readOrNothing(later, bytes)), { timeout: 300_000 })
    .toContain(`"requestId":"${requestId}"`);
  expect(log).toMatch(/^(\{"level":30,.*"msg":"(request|service_started|database_durability)"\}\n)+$/);
  closeSync(later);
  service.child.kill("SIGTERM");
  expect(await service.exit).toEqual([0, null]);
});

describe("on a terminal", () => {
  it("the log is readable, and closing the terminal ends the service and its child processes", async () => {
    const development = { PORT: "0", METRICS_PORT: "0", DATA_DIR: join(folder, "development") };
    const terminal = await runOnTerminal(main, development, "attached");
    await expect.poll(terminal.output, { timeout: 300_000 }).toContain("Sandbox");
    const address = addressOf(terminal.output(), "Address");
    for (const path of ["/health/live", "/nowhere"]) await fetch(`${address}${path}`);
    await expect.poll(terminal.output).toMatch(/\d\d:\d\d:\d\d .*info .* GET unknown 404 .*requestId=req_/);
    expect(terminal.output()).not.toContain('{"level"');
    expect(terminal.output()).not.toContain("/health/live 200");
    await terminal.close();
    expect(await terminal.ended()).toBe("0");
    await expect(fetch(addressOf(terminal.output(), "Sandbox"))).rejects.toThrow();
  });
});

describe("without a terminal", () => {
  it("the log is JSON, SIGHUP has no effect, and the last lines are written", async () => {
    const service = await start("pipe");
    let log = "";
    service.child.stderr?.setEncoding("utf8").on("data", (chunk) => {
      log += chunk;
    });
    service.child.kill("SIGHUP");
    expect(await sendRequests(service.output())).toEqual(new Set([404]));
    const closed = once(service.child, "close");
    service.child.kill("SIGTERM");
    expect(await closed).toEqual([0, null]);
    const lines = log.trimEnd().split("\n");
    // The worker may log a line of its own, such as a new checkpoint.
    const messages = lines.map((line) => JSON.parse(line).msg);
    expect(messages.filter((message) => message === "request")).toHaveLength(requests);
    expect(service.output()).toMatch(/Stopping after active requests\.\n$/);
  });
});
