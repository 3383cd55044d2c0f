import type { Observer } from "@cardbridge/domain";
import { createRedisRate } from "../admission/redis-rate.ts";
import type { Env } from "../config/env.ts";

/** One rate over all processes, if the environment names a Redis or Valkey. */
export function openSharedRate({ RATE_LIMIT_REDIS_URL: url }: Env, observer: Observer) {
  const onFailure = (reason: string) => observer.observe("rate_limit_not_shared", { reason });
  return url === undefined ? undefined : createRedisRate(url, onFailure);
}
