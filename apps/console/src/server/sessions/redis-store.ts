import { Redis } from "ioredis";
import { reasonOf } from "../http/reason-of.ts";
import { type Store, StoreUnavailable } from "./store.ts";

const prefix = "cardbridge-console:";

const replace = `if redis.call("GET", KEYS[1]) ~= ARGV[1] then return 0 end
redis.call("SET", KEYS[1], ARGV[2], "KEEPTTL")
return 1`;

/** The store of several processes: Redis or Valkey. A call fails within two seconds while the server is away. */
export function createRedisStore(url: string): Store {
  const redis = new Redis(url, {
    keyPrefix: prefix,
    commandTimeout: 2_000,
    connectTimeout: 2_000,
    maxRetriesPerRequest: 1,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
  });
  let lost = "timeout";
  // Without a listener, ioredis prints errors, which can contain the address. A failed call says nothing of their cause.
  redis.on("error", (error) => {
    lost = reasonOf(error);
  });
  redis.on("ready", () => {
    lost = "timeout";
  });

  async function ask<Answer>(call: Promise<Answer>): Promise<Answer> {
    try {
      return await call;
    } catch (error) {
      throw new StoreUnavailable(refusalOf(error) ?? lost);
    }
  }

  const wholeSeconds = (seconds: number) => Math.max(1, Math.ceil(seconds));
  return {
    get: async (key) => (await ask(redis.getBuffer(key))) ?? undefined,
    async set(key, value, seconds) {
      await ask(redis.set(key, value, "EX", wholeSeconds(seconds)));
    },
    replace: async (key, before, after) => (await ask(redis.eval(replace, 1, key, before, after))) === 1,
    // A server without memory refuses SET, but not EXPIRE.
    async prolong(key, seconds) {
      await ask(redis.expire(key, wholeSeconds(seconds)));
    },
    async delete(key) {
      await ask(redis.del(key));
    },
    claim: async (key, seconds) => (await ask(redis.set(key, "1", "EX", seconds, "NX"))) === "OK",
    async check() {
      await ask(redis.set("check", "", "EX", 1));
    },
    async close() {
      redis.disconnect();
    },
  };
}

/** The code with which the server refused a command, such as `OOM` or `NOAUTH`. */
function refusalOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || error.name !== "ReplyError") return undefined;
  return /^[A-Z]{2,20}(?= )/.exec(error.message)?.[0];
}
