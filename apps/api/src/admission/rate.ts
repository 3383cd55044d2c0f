import type { Rate } from "@cardbridge/domain";
import { listProcedures, type Operations, submission } from "@cardbridge/service";
import type { ConfiguredRate } from "../config/formats.ts";
import { basePath, isTrpc, mcpPath, pathOf, trpcPath } from "../config/paths.ts";
import { isReading } from "./head.ts";

/** The classes of calls, each with a rate of its own. Uploads, validations and webhook calls are not submissions. */
export const rateClasses = ["reads", "writes", "submissions"] as const;
export type RateClass = (typeof rateClasses)[number];

/** The state of a holder's limit after a call. */
export interface Allowance {
  allowed: boolean;
  /** The whole seconds until the next token. */
  retryAfterSeconds: number;
  /** RateLimit and RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers). */
  headers: Record<string, string>;
}

/** A rate that all processes share. */
export interface SharedRate {
  /** Takes a token from a bucket; undefined while the shared state is unavailable. Never rejects. */
  take(name: string, rate: Rate): Promise<Tokens | undefined>;
}

export interface RateLimiter {
  /** Counts a call of a holder; undefined without a limit. */
  count(holder: string, rateClass: RateClass): Promise<Allowance | undefined>;
}

/** The rate of a holder, as `holderOf` names it; undefined if it is unlimited. */
export type RateOf = (holder: string, rateClass: RateClass) => Rate | undefined;

/** The maximum number of buckets of a process. Beyond it, the oldest one is forgotten, and is full again. */
const maxBuckets = 10_000;

interface Options {
  rateOf: RateOf;
  /** The rate that all processes share. Without it, each process applies the rate separately. */
  shared?: SharedRate | undefined;
  /** A monotonic clock in milliseconds. */
  now?: (() => number) | undefined;
}

/**
 * Creates a rate limiter with a token bucket per holder and class. Each process also counts
 * the calls of a shared rate in its own bucket. While the shared bucket is unavailable, the process's bucket decides.
 */
export function createRateLimiter({ rateOf, shared, now }: Options): RateLimiter {
  // Only platforms, keys and verified persons get a bucket.
  const buckets = new Map<string, TokenBucket>();

  function bucketOf(name: string, rate: Rate): TokenBucket {
    const known = buckets.get(name);
    if (known) return known;
    const [oldest = ""] = buckets.keys();
    if (buckets.size >= maxBuckets) buckets.delete(oldest);
    const bucket = createTokenBucket(rate, now);
    buckets.set(name, bucket);
    return bucket;
  }

  return {
    async count(holder, rateClass) {
      const rate = rateOf(holder, rateClass);
      if (!rate) return undefined;
      const name = `${rateClass}:${holder}`;
      const own = bucketOf(name, rate).take(rate);
      // A holder that exceeds the rate in this process also exceeds the shared rate.
      const ofAll = shared && own.taken ? await shared.take(name, rate) : undefined;
      return toAllowance(ofAll ?? own, rateClass, rate);
    },
  };
}

function toAllowance({ taken, left, secondsToNext }: Tokens, rateClass: RateClass, rate: Rate): Allowance {
  return {
    allowed: taken,
    retryAfterSeconds: secondsToNext,
    headers: {
      ratelimit: `"${rateClass}";r=${left};t=${secondsToNext}`,
      "ratelimit-policy": `"${rateClass}";q=${rate.calls};w=${rate.seconds}`,
    },
  };
}

export const defaultRates: Record<RateClass, Rate> = {
  reads: { calls: 6_000, seconds: 60 },
  writes: { calls: 600, seconds: 60 },
  submissions: { calls: 600, seconds: 60 },
};

/** The configured rates. The default applies to all platforms except demo platforms (gap G22). */
export function configuredRates(
  configured: Record<RateClass, ConfiguredRate | undefined>,
  isDemo: (platformId: string) => boolean,
): RateOf {
  return (holder, rateClass) => {
    const rate = configured[rateClass] ?? (isDemo(holder) ? "unlimited" : defaultRates[rateClass]);
    return rate === "unlimited" ? undefined : rate;
  };
}

/** Whether the calls of a procedure have a rate and slots of their own. */
export function urgentIn(operations: Operations): (procedure: string) => boolean {
  const urgent = new Set(listProcedures(operations).flatMap(({ id, urgent }) => (urgent ? id : [])));
  return (procedure) => urgent.has(procedure);
}

/** The procedure of a request by its target; of a batch, the first one. '' for other requests. */
export function procedureOf(target: string): string {
  const path = decoded(pathOf(target));
  const [procedure = ""] = isTrpc(path) ? path.slice(trpcPath.length + 1).split(",", 1) : [];
  return procedure;
}

/** The class of a request by its head; of a batch, that of its first call. */
export function rateClassOf(method: string, target: string): RateClass {
  const procedure = procedureOf(target);
  if (procedure !== "") return rateClassOfProcedure(method, procedure);
  const path = decoded(pathOf(target));
  // The MCP server counts the write that a message calls, once the body is read.
  if (isReading(method) || path === mcpPath) return "reads";
  return path === `${basePath}${submission.path}` ? "submissions" : "writes";
}

/** The class of a procedure that is called with this method. */
export function rateClassOfProcedure(method: string, procedure: string): RateClass {
  if (isReading(method)) return "reads";
  return procedure === submission.procedure ? "submissions" : "writes";
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** The result of taking a token from a bucket. */
export interface Tokens {
  /** Whether the call got a token. */
  taken: boolean;
  /** The whole tokens left. */
  left: number;
  /** The whole seconds until the next token. */
  secondsToNext: number;
}

export interface TokenBucket {
  /** Takes a token if there is one. @param rate the current rate, with the window of the first one */
  take(rate?: Rate): Tokens;
}

/**
 * Creates a full bucket of `calls` tokens with an even refill. A token counts as the window in milliseconds, and
 * each millisecond adds `calls`, so that integer rates give exact integers.
 *
 * @param now a monotonic clock in milliseconds
 */
export function createTokenBucket(first: Rate, now = () => performance.now()): TokenBucket {
  const token = first.seconds * 1_000;
  let level = first.calls * token;
  let filledAt = Math.floor(now());

  function refill(calls: number): void {
    const time = Math.floor(now());
    level = Math.min(calls * token, level + (time - filledAt) * calls);
    filledAt = time;
  }

  return {
    take({ calls } = first) {
      refill(calls);
      const taken = level >= token;
      if (taken) level -= token;
      const missing = token - (level % token);
      return {
        taken,
        left: Math.floor(level / token),
        secondsToNext: Math.ceil(missing / calls / 1_000),
      };
    },
  };
}
