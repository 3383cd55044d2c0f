import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { scope } from "@cardbridge/domain";
import { afterAll, beforeAll, expect, it } from "vitest";
import { demoKeys } from "../../../src/admission/api-key.ts";
import { canary } from "../../hostile/calls.ts";
import { runCli, type ServiceProcess, startService } from "../../support/service-process.ts";
import type { Played } from "./play-hostile.ts";

/**
 * Keeps slow sockets of every kind open against the service as it ships: healthy callers of the same address are
 * served as if there were none. The nightly tier opens thousands, sends generated hostile requests too, and compares
 * the latency of the healthy callers.
 */
const sockets = Number(process.env.HELD_SOCKETS ?? 440);
const seconds = Number(process.env.HELD_SECONDS ?? 0);
const isLong = seconds > 0;
const requests = Number(process.env.HOSTILE_REQUESTS ?? 0);
const seed = process.env.HOSTILE_SEED ?? "1";

let folder: string;
let service: ServiceProcess;
let holder: ChildProcess | undefined;
let player: ChildProcess | undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cardbridge-sockets-"));
  // Hostile requests would soon get only 429, and so would the calls that a pause of the machine gathers.
  const limits = {
    RATE_LIMIT_READS: "unlimited",
    RATE_LIMIT_SUBMISSIONS: "unlimited",
    REQUESTS_AT_ONCE: "512",
  };
  const env = {
    DATA_DIR: folder,
    LOG_LEVEL: "warn",
    SHUTDOWN_GRACE_MS: "0",
    ...limits,
  };
  service = await startService(env, { folder: process.env.HELD_PROGRAM });
});
afterAll(async () => {
  holder?.kill();
  player?.kill();
  await service.end("SIGTERM");
  await rm(folder, { recursive: true, force: true });
});

/** The paths that healthy callers request, in rotation. */
const paths = [
  "/openapi/v1/cards/list?memberId=alice",
  "/openapi/v1/cards/list?memberId=bob&page=2",
  "/health/live",
];
const authorization = `Bearer ${demoKeys.first}`;

/** The status of a call and its time in milliseconds. */
async function call(path: string): Promise<[status: number, ms: number]> {
  const start = performance.now();
  const response = await fetch(service.url + path, { headers: { authorization } });
  await response.arrayBuffer();
  return [response.status, performance.now() - start];
}

/**
 * Makes at least `count` calls, until `until` is fulfilled: one every `pause` milliseconds, without waiting for the
 * responses to earlier calls.
 */
async function callSteadily(count: number, pause: number, until: Promise<unknown> = Promise.resolve()) {
  const calls: ReturnType<typeof call>[] = [];
  let isOver = false;
  const over = until.finally(() => {
    isOver = true;
  });
  for (let i = 0; i < count || !isOver; i += 1) {
    calls.push(call(paths[i % paths.length] ?? ""));
    await delay(pause);
  }
  await over;
  const answers = await Promise.all(calls);
  const ms = answers.map(([, time]) => time).sort((a, b) => a - b);
  const at = (share: number) => Math.round((ms[Math.floor(ms.length * share)] ?? 0) * 10) / 10;
  const refused = answers.filter(([status]) => status >= 429).length;
  return { made: calls.length, refused, p50: at(0.5), p99: at(0.99) };
}

/** Starts the holder, and waits until it has opened its sockets. */
async function hold(): Promise<void> {
  const program = fileURLToPath(new URL("hold-sockets.mjs", import.meta.url));
  holder = spawn(process.execPath, [program, service.url, String(sockets)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (holder.stdout) await once(holder.stdout, "data");
  // Measure while the sockets are open, not while they open.
  if (isLong) await delay(5_000);
}

/** Sends hostile requests from a separate process. */
async function playHostile(): Promise<Played> {
  const program = fileURLToPath(new URL("play-hostile.ts", import.meta.url));
  const create = ["keys", "create", "--internal", "--name", "player", "--scopes", scope.options.join()];
  const { stdout: key } = await runCli(create, { DATA_DIR: folder });
  player = spawn(process.execPath, [program, service.url, String(requests), seed, key.trim()], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return JSON.parse(player.stdout ? await text(player.stdout) : "");
}

/** The sockets that the service has open, and the most memory that it has had. */
async function usage(): Promise<string> {
  const proc = `/proc/${service.child.pid}`;
  const memory = /VmHWM:\s+(\d+)/.exec(await readFile(`${proc}/status`, "utf8"))?.[1];
  return `${(await readdir(`${proc}/fd`)).length} descriptors, ${Math.round(Number(memory) / 1024)} MB at most`;
}

it(`${sockets} open sockets cause no rejected call of a healthy caller`, async () => {
  const [count, pause] = isLong ? [seconds * 50, 20] : [60, 10];
  await callSteadily(isLong ? 500 : 3, pause);
  const quiet = isLong ? await callSteadily(count, pause) : undefined;
  if (quiet) print(`quiet: p50 ${quiet.p50} ms, p99 ${quiet.p99} ms; ${await usage()}`);
  await hold();
  const playing = requests > 0 ? playHostile() : undefined;
  const attacked = await callSteadily(count, pause, playing);
  if (quiet) {
    print(`attacked: p50 ${attacked.p50} ms, p99 ${attacked.p99} ms; ${await usage()}`);
    const ratio = (attacked.p99 / quiet.p99).toFixed(2);
    print(`${attacked.refused} of ${attacked.made} calls refused; p99 ${ratio} times the quiet one`);
  }
  expect(attacked.refused).toBe(0);
  // The marks of the hostile requests are personal data.
  expect(service.output()).not.toMatch(canary);
  expect(service.output()).not.toMatch(/"level":[56]0/);
  if (playing) checkPlayed(await playing);
});

function checkPlayed({ sent, statuses, wrong, examples }: Played): void {
  const failed = Object.entries(statuses).filter(([status]) => status >= "500");
  const sum = failed.reduce((total, [, count]) => total + count, 0);
  print(`${sent} hostile requests of seed ${seed}: ${sum} responses of 5xx, ${wrong} wrong responses`);
  print(`by status: ${JSON.stringify(statuses)}`);
  expect({ sent, sum, examples }).toEqual({ sent: requests, sum: 0, examples: [] });
}

function print(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}
