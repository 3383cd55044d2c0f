import type { Observer } from "@cardbridge/domain";
import { reasonOf } from "@cardbridge/operations";
import { type CacheOptions, type Database, listenForChanges } from "@cardbridge/store";
import type { Env } from "../config/env.ts";
import type { Log } from "../observability/log.ts";

interface Parts {
  env: Env;
  database: Database;
  serviceUrl: string;
  log: Log;
  observer: Observer;
}

/** The cache of keys and users; none if it is configured off, or if the process serves no callers. */
export function createLookupCache(parts: Parts): CacheOptions | undefined {
  const { env, database, serviceUrl, log, observer } = parts;
  const seconds = env.LOOKUP_CACHE_SECONDS;
  if (seconds === 0 || env.RUN === "worker") return undefined;
  const changes = listenForChanges({
    url: env.DATABASE_LISTEN_URL ?? serviceUrl,
    database,
    onHeard(heard, reason) {
      if (heard) log.info("changes of keys and users are heard: they are cached");
      else observer.observe("lookup_changes_unheard", { reason: reasonOf(reason) });
    },
  });
  return { changes, seconds };
}

/** What an operator has to know although the process is ready. */
export function cacheWarnings(cache: CacheOptions | undefined): string[] {
  if (!cache || cache.changes.areHeard()) return [];
  return ["Keys and users are not cached: changes are not heard. Check DATABASE_LISTEN_URL."];
}
