import { errorCode, type Rate } from "@cardbridge/domain";
import { type Callback, Redis } from "ioredis";
import type { SharedRate } from "./rate.ts";

/**
 * The generic cell rate algorithm (GCRA): a token bucket, stored as the time when it is full again. It uses the clock
 * of Redis, so the clocks of processes may differ. Returns 1 if there was a token, else 0, and the
 * milliseconds until the bucket is full.
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

/** The timeout of a Redis command, and the pause after a failure, in milliseconds. */
const defaultCommandMs = 50;
const pauseMs = 1_000;

export interface RedisRate extends SharedRate {
  close(): void;
}

/**
 * Creates the rate that all processes share in Redis or Valkey. A command times out after `commandMs`, 50 by default.
 * For a second after a failure, the process does not call Redis and uses its own bucket.
 *
 * @param onFailure receives the reason of each failure, at most once a second
 */
export function createRedisRate(
  url: string,
  onFailure: (reason: string) => void,
  commandMs = defaultCommandMs,
): RedisRate {
  const redis = new Redis(url, {
    commandTimeout: commandMs,
    // Without a connection, a command fails immediately instead of waiting in a queue.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 2_000,
    socketTimeout: 5_000,
    retryStrategy: (attempts) => Math.min(attempts * 100, pauseMs),
  }) as Redis & TakeToken;
  redis.defineCommand("takeToken", { numberOfKeys: 1, lua: takeToken });
  const lost = watchLosses(redis);
  let retryAt = 0;

  return {
    async take(name, rate) {
      if (performance.now() < retryAt) return undefined;
      const perToken = (rate.seconds * 1_000) / rate.calls;
      try {
        const [taken, missing] = await redis.takeToken(
          `cardbridge:rate:${name}`,
          perToken,
          rate.seconds * 1_000,
        );
        return { taken: taken === 1, ...stateOf(rate, perToken, missing) };
      } catch (error) {
        if (performance.now() >= retryAt) onFailure(redisReason(error, lost()));
        retryAt = performance.now() + pauseMs;
        return undefined;
      }
    },
    close: () => redis.disconnect(),
  };
}

/** Why Redis cannot be used, as a code such as ECONNREFUSED or NOAUTH; undefined if it can. Waits up to two seconds. */
export async function reasonOfRedis(url: string): Promise<string | undefined> {
  const redis = new Redis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    connectTimeout: 2_000,
    commandTimeout: 2_000,
    retryStrategy: () => null,
  });
  const lost = watchLosses(redis);
  try {
    await redis.connect();
    await redis.ping();
    return undefined;
  } catch (error) {
    return redisReason(error, lost());
  } finally {
    redis.disconnect();
  }
}

/**
 * Returns the code of the last failure to connect, such as ECONNREFUSED; '' while connected. A command without a connection
 * does not know why there is none. Without a listener, the library prints the address.
 */
function watchLosses(redis: Redis): () => string {
  let lost = "";
  redis.on("error", (error) => {
    lost = errorCode(error);
  });
  redis.on("ready", () => {
    lost = "";
  });
  return () => lost;
}

/**
 * A ReplyError comes from the server, and its message begins with a code such as NOAUTH. Every other error is a
 * connection error, even if it ends a command.
 *
 * @param lost the code of the last failure to connect, such as ECONNREFUSED; '' if there is none
 */
function redisReason(error: unknown, lost: string): string {
  if (!(error instanceof Error)) return "unknown";
  if (error.message === "Command timed out") return "timeout";
  if (error.name === "ReplyError") return /^[A-Z]{2,20}(?= )/.exec(error.message)?.[0] ?? "refused";
  return lost || "not-connected";
}

/** @param missing the milliseconds until the bucket is full */
function stateOf({ calls }: Rate, perToken: number, missing: number) {
  const tokens = Math.max(0, calls - missing / perToken);
  const left = Math.floor(tokens);
  return { left, secondsToNext: Math.max(1, Math.ceil(((1 - (tokens - left)) * perToken) / 1_000)) };
}
