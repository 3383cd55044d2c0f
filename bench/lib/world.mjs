import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { credentials } from "./contract.mjs";
import { startDatabase } from "./database.mjs";
import { members } from "./members.mjs";
import { at, start } from "./process.mjs";

/**
 * All that a service needs to run in production: the stub of a provider, a PostgreSQL, keys, and a platform with so
 * many members. `service` starts one, as many as are wanted; `stop` ends everything.
 */
export async function createWorld({ memberCount = 100 } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "cardbridge-bench-"));
  const running = [];
  const started = async (process) => {
    running.push(process);
    return process;
  };
  async function stop() {
    for (const one of running.reverse()) await one.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
  }

  try {
    const provider = await started(await start("stub-provider.mjs", {}));
    const shared = {
      ...credentials,
      PROVIDER_URL: provider.url,
      FINGERPRINT_KEY: randomBytes(48).toString("base64"),
      KEY_RING: `1:${randomBytes(32).toString("base64")}`,
      FILES_DIR: join(folder, "files"),
    };
    const database = await started(await startDatabase(folder, shared));
    const env = {
      ...shared,
      NODE_ENV: "production",
      PUBLIC_URL: "http://127.0.0.1:3000",
      DATABASE_URL: database.serviceUrl,
      RATE_LIMIT_READS: "unlimited",
      RATE_LIMIT_SUBMISSIONS: "unlimited",
    };
    const { platformId, key } = await addPlatform(env, "Bench");
    await cardbridge(env, ["users", "import", "--platform", platformId, "-"], members(memberCount));
    await database.query("analyze users");
    return {
      ...{ folder, env, key, provider, database, platformId, memberCount, stop },
      /** A further platform, without members. */
      addPlatform: (name) => addPlatform(env, name),
      /** What a command of the command line prints. */
      cli: (args) => cardbridge(env, args),
      run: async (file, more) => started(await start(file, { ...env, ...more })),
      service: async (more) =>
        started(
          await start(
            "../apps/api/dist/main.js",
            { ...env, PORT: "0", METRICS_PORT: "0", ...more },
            /(?:Address|Health) +(\S+)/,
          ),
        ),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function addPlatform(env, name) {
  const platformId = await cardbridge(env, ["platforms", "create", name]);
  const scopes = "cards:read,kyc:write,kyc:read";
  const named = ["--platform", platformId, "--name", "bench", "--scopes", scopes];
  const key = await cardbridge(env, ["keys", "create", ...named]);
  return { platformId, key };
}

/** What a command prints; `input` is its standard input. */
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
