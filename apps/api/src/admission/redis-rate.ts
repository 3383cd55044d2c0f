import type { Rate } from "@cardbridge/domain";
import { type Callback, Redis } from "ioredis";
import type { SharedRate } from "./rate-limiter.ts";

/**
 * The generic cell rate algorithm (GCRA): an equal bucket, as the moment when it is full again. Redis's own clock counts,
 * so processes need not agree on the time. Returns whether there was a token, and the milliseconds until the bucket is full.
 */
const takeToken = `
local time = redis.call("TIME")
local now = time[1] * 1000 + time[2] / 1000
local perToken, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local fullAt = math.max(tonumber(redis.call("GET", KEYS[1])) or now, now)
local missing = fullAt + perToken - now
if missing > window + 0.001 then return {0, math.ceil(fullAt - now)} end
redis.call("SET", KEYS[1], string.format("%.3f", fullAt + perToken), "PX", math.ceil(missing))
return {1, math.ceil(missing)}
`;

type TakeToken = {
  takeToken(key: string, perToken: number, window: number, done?: Callback): Promise<[0 | 1, number]>;
};

/** How long a call waits for Redis, and how long a Redis that failed is not asked again. */
const commandMs = 50;
const pauseMs = 1_000;

export interface RedisRate extends SharedRate {
  close(): void;
}

/**
 * Creates the rate over all processes in Redis or Valkey. A command has 50 ms. After a failure Redis is left alone for a
 * second, and each process keeps to its own bucket.
 *
 * @param onFailure receives the reason of each failure, at most once a second
 */
export function createRedisRate(url: string, onFailure: (reason: string) => void): RedisRate {
  const redis = new Redis(url, {
    commandTimeout: commandMs,
    // A command fails at once while there is no connection. Nothing waits in a queue.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 2_000,
    socketTimeout: 5_000,
    retryStrategy: (attempts) => Math.min(attempts * 100, pauseMs),
  }) as Redis & TakeToken;
  redis.defineCommand("takeToken", { numberOfKeys: 1, lua: takeToken });
  // Each failed command says so; without a listener the library prints the address.
  redis.on("error", () => {});
  let askAgainAt = 0;

  return {
    async take(name, rate) {
      if (performance.now() < askAgainAt) return undefined;
      const perToken = (rate.seconds * 1_000) / rate.calls;
      try {
        const [taken, missing] = await redis.takeToken(
          `cardbridge:rate:${name}`,
          perToken,
          rate.seconds * 1_000,
        );
        return { taken: taken === 1, ...stateOf(rate, perToken, missing) };
      } catch (error) {
        if (performance.now() >= askAgainAt) onFailure(reasonOf(error));
        askAgainAt = performance.now() + pauseMs;
        return undefined;
      }
    },
    close: () => redis.disconnect(),
  };
}

/** Only a server that answers sends an error of its own. Every other failure is the connection's, also in mid-command. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  if (error.message === "Command timed out") return "timeout";
  return error.name === "ReplyError" ? "refused" : "not-connected";
}

/** @param missing the milliseconds until the bucket is full */
function stateOf({ calls }: Rate, perToken: number, missing: number) {
  const tokens = Math.max(0, calls - missing / perToken);
  const left = Math.floor(tokens);
  return { left, secondsToNext: Math.max(1, Math.ceil(((1 - (tokens - left)) * perToken) / 1_000)) };
}
