import { Redis } from "ioredis";
import type { Store } from "./store.ts";

const prefix = "cardbridge-console:";

const replace = `if redis.call("GET", KEYS[1]) ~= ARGV[1] then return 0 end
redis.call("SET", KEYS[1], ARGV[2], "EX", ARGV[3])
return 1`;

/** The store of several processes: Redis or Valkey. Errors of the connection appear in the calls alone. */
export function createRedisStore(url: string): Store {
  const redis = new Redis(url, {
    keyPrefix: prefix,
    commandTimeout: 2_000,
    connectTimeout: 2_000,
    maxRetriesPerRequest: 1,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2_000),
  });
  // Without a listener, ioredis prints errors, which can contain the address.
  redis.on("error", () => {});
  return {
    get: async (key) => (await redis.getBuffer(key)) ?? undefined,
    async set(key, value, seconds) {
      await redis.set(key, value, "EX", Math.max(1, Math.ceil(seconds)));
    },
    replace: async (key, before, after, seconds) =>
      (await redis.eval(replace, 1, key, before, after, Math.max(1, Math.ceil(seconds)))) === 1,
    take: async (key) => (await redis.getdelBuffer(key)) ?? undefined,
    async delete(key) {
      await redis.del(key);
    },
    claim: async (key, seconds) => (await redis.set(key, "1", "EX", seconds, "NX")) === "OK",
    async check() {
      await redis.ping();
    },
    async close() {
      redis.disconnect();
    },
  };
}
