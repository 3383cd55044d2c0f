import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createRateLimiter } from "../../../src/admission/rate.ts";
import { createRedisRate, type RedisRate } from "../../../src/admission/redis-rate.ts";
import { until } from "../../support/until.ts";

/** On a busy machine a command can take longer than the default. */
const patientMs = 4_000;

const program = ["valkey-server", "redis-server"].find(isInstalled);

describe("one rate over all processes", () => {
  let folder: string;
  let socket: string;
  let server: ChildProcess;
  const opened: RedisRate[] = [];
  const failures: string[] = [];

  async function startServer(): Promise<void> {
    server = spawn(program ?? "", ["--port", "0", "--unixsocket", socket, "--save", ""], { stdio: "ignore" });
    const probe = new Redis(socket, { retryStrategy: () => 20 });
    probe.on("error", () => {});
    await new Promise<void>((resolve) => probe.once("ready", () => resolve()));
    probe.disconnect();
  }

  async function stopServer(): Promise<void> {
    server.kill("SIGKILL");
    await once(server, "exit");
  }

  /** The limiter of one process, with a rate of ten calls a day. */
  function aProcess(commandMs = patientMs) {
    const shared = createRedisRate(socket, (reason) => failures.push(reason), commandMs);
    opened.push(shared);
    const limiter = createRateLimiter({ rateOf: () => ({ calls: 10, seconds: 86_400 }), shared });
    const call = async (platformId: string) => (await limiter.count(platformId, "reads"))?.allowed;
    return { limiter, call, isShared: () => shared.take("probe", { calls: 1_000, seconds: 1 }) };
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "cardbridge-redis-"));
    socket = join(folder, "redis.sock");
    if (program) await startServer();
  });
  beforeEach((context) => {
    if (!program) context.skip("not run: no redis-server on this machine");
  });
  afterEach(() => {
    for (const shared of opened.splice(0)) shared.close();
    failures.length = 0;
  });
  afterAll(async () => {
    if (program) await stopServer();
    await rm(folder, { recursive: true, force: true });
  });

  it("processes share a platform's tokens, and report the same state", async () => {
    const [one, two] = [aProcess(), aProcess()];
    for (const { isShared } of [one, two]) await until(async () => (await isShared()) !== undefined);
    const calls = Array.from({ length: 20 }, (_, nth) => [one, two][nth % 2]?.call("plt_shared"));
    const allowed = (await Promise.all(calls)).filter((result) => result === true);
    expect(allowed).toHaveLength(10);
    expect(await two.call("plt_other")).toBe(true);
    expect(await one.limiter.count("plt_other", "reads")).toMatchObject({
      allowed: true,
      headers: { ratelimit: '"reads";r=8;t=8640', "ratelimit-policy": '"reads";q=10;w=86400' },
    });
  });

  it("a process uses its own bucket while the server is unavailable, and shares again afterwards", async () => {
    const { call, isShared } = aProcess();
    await until(async () => (await isShared()) !== undefined);
    for (let nth = 0; nth < 4; nth += 1) expect(await call("plt_away")).toBe(true);
    await stopServer();
    const rest = [];
    for (let nth = 0; nth < 8; nth += 1) rest.push(await call("plt_away"));
    // The process's own bucket also counted the first four calls.
    expect(rest).toEqual([true, true, true, true, true, true, false, false]);
    await startServer();
    await until(async () => (await isShared()) !== undefined);
    for (const reason of failures) expect(reason).toMatch(/^(not-connected|ENOENT|ECONNREFUSED)$/);
  });

  it("calls wait for one command to a server that hangs, and continue with the process's own bucket", async () => {
    const { call, isShared } = aProcess(50);
    await until(async () => (await isShared()) !== undefined);
    failures.length = 0;
    server.kill("SIGSTOP");
    try {
      const results = [];
      for (let nth = 0; nth < 11; nth += 1) results.push(await call("plt_hangs"));
      expect(results).toEqual([...Array.from({ length: 10 }, () => true), false]);
      // One command timed out. The other calls did not contact the server.
      expect(new Set(failures)).toEqual(new Set(["timeout"]));
    } finally {
      server.kill("SIGCONT");
    }
    await until(async () => (await isShared()) !== undefined);
  });
});

function isInstalled(name: string): boolean {
  try {
    execFileSync(name, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
