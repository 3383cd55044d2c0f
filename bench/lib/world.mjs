import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { credentials } from "./contract.mjs";
import { moveToOwnCore } from "./cores.mjs";
import { startDatabase } from "./database.mjs";
import { at, start } from "./process.mjs";
import { memberId } from "./requests.mjs";

/**
 * Creates everything that a service needs to run in production: a stub provider, a PostgreSQL, keys, and a platform
 * with `memberCount` members, and further `platforms` like it. `service` starts a service, any number of times. Disposing
 * the world stops all of it.
 */
export async function createWorld({ memberCount = 100, platforms = 1 } = {}) {
  await using made = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "cardbridge-bench-"));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
  process.once("exit", remove);
  made.defer(() => {
    process.off("exit", remove);
    remove();
  });
  const provider = made.use(await start("stub-provider.mjs", {}));
  const shared = {
    ...credentials,
    PROVIDER_URL: provider.url,
    FINGERPRINT_KEY: randomBytes(48).toString("base64"),
    KEY_RING: `1:${randomBytes(32).toString("base64")}`,
    FILES_DIR: join(folder, "files"),
  };
  const database = made.use(await startDatabase(folder, shared));
  const env = {
    ...shared,
    NODE_ENV: "production",
    ENVIRONMENT: "test",
    PUBLIC_URL: "http://127.0.0.1:3000",
    DATABASE_URL: database.serviceUrl,
    // Each call is counted, and none is refused.
    RATE_LIMIT_READS: "1000000/1",
    RATE_LIMIT_SUBMISSIONS: "1000000/1",
  };
  const importMembers = (platformId, from, count) =>
    cardbridge(env, ["users", "import", "--platform", platformId, "-"], members(platformId, from, count));
  const addCaller = async () => {
    const platform = await addPlatform(env, "Bench");
    await importMembers(platform.platformId, 1, memberCount);
    return { ...platform, memberCount };
  };
  const callers = [];
  // Two commands at once: on two cores more of them do not reach the database in time.
  while (callers.length < platforms) {
    const some = Array.from({ length: Math.min(2, platforms - callers.length) }, addCaller);
    callers.push(...(await Promise.all(some)));
  }
  const [{ platformId, key }] = callers;
  await database.query("analyze users");
  const running = made.move();
  const run = async (file, more, listening) => {
    const contestant = running.use(await start(file, { ...env, ...more }, listening));
    moveToOwnCore(contestant);
    return contestant;
  };
  return {
    /** The platforms with their keys. The first one is also `platformId` and `key`. */
    callers,
    key,
    provider,
    database,
    platformId,
    memberCount,
    run,
    /** Adds `count` members to the platform, starting with the member of this number. */
    importMembers: (from, count) => importMembers(platformId, from, count),
    /** Adds a platform without members. */
    addPlatform: (name) => addPlatform(env, name),
    /** Runs a CLI command and returns its output. */
    cli: (args) => cardbridge(env, args),
    /** Runs another implementation, which knows the same keys and members. */
    other: (file, more) =>
      run(file, {
        BENCH_DATABASE_URL: database.ownerUrl,
        BENCH_KEYS: callers.map((caller) => caller.key).join(),
        BENCH_MEMBERS: String(memberCount),
        ...more,
      }),
    /** Runs a worker, which takes no time of what is measured. */
    worker: async () =>
      void running.use(
        await start(
          "../apps/api/dist/main.js",
          { ...env, RUN: "worker", PORT: "0", METRICS_PORT: "0" },
          /Health +(\S+)/,
        ),
      ),
    service: (more) =>
      run("../apps/api/dist/main.js", { PORT: "0", METRICS_PORT: "0", ...more }, /(?:Address|Health) +(\S+)/),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** The members as the lines of a CSV for `cardbridge users import`. */
function* members(platformId, from, count) {
  yield "memberId,email,externalUserId\n";
  for (let number = from; number < from + count; number += 1) {
    yield `${memberId(number)},member-${number}@example.com,usr_${platformId}_${number}\n`;
  }
}

async function addPlatform(env, name) {
  const platformId = await cardbridge(env, ["platforms", "create", name]);
  const scopes = "cards:read,kyc:write,kyc:read";
  const named = ["--platform", platformId, "--name", "bench", "--scopes", scopes];
  const key = await cardbridge(env, ["keys", "create", ...named]);
  return { platformId, key };
}

/** Runs a command with `input` as its standard input and returns its output. */
async function cardbridge(env, args, input = []) {
  const done = promisify(execFile)(process.execPath, [at("../apps/api/dist/cli.js"), ...args], {
    env: { PATH: process.env.PATH, ...env },
  });
  const { stdin } = done.child;
  stdin.on("error", () => {});
  for (const text of input) if (!stdin.write(text)) await Promise.race([once(stdin, "drain"), done]);
  stdin.end();
  const { stdout } = await done;
  return stdout.trim();
}
