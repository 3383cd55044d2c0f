import type { CurrentPauses, Environment, Observer } from "@cardbridge/domain";
import { findPlatform, type Ports } from "@cardbridge/service";
import {
  type Database,
  findApiKey,
  isLiveKey,
  type KeySet,
  type LookupCache,
  noLookupCache,
} from "@cardbridge/service/database";
import { andThen } from "../admission/and-then.ts";
import { type Authenticate, createAuthenticate } from "../admission/authenticate.ts";
import { createGates, type Gates } from "../admission/gates.ts";
import { createRateLimiter, type RateLimiter, type RateOf } from "../admission/rate-limiter.ts";
import { createRedisRate } from "../admission/redis-rate.ts";
import type { Refusals } from "../admission/refusals.ts";
import { refusePaused } from "../admission/refuse-paused.ts";
import type { Slots } from "../admission/slots.ts";
import type { SignedUrls } from "../rest/file-urls.ts";
import { type PersonSettings, personVerification } from "./persons.ts";

interface Options {
  /** The database for look-ups of API keys. */
  database: Database;
  cache: LookupCache;
  ports: Ports & { fileUrls: SignedUrls };
  rateOf: RateOf;
  /** The URL of a Redis or Valkey for rates that all processes share. */
  redisUrl: string | undefined;
  /** Whether the public demo keys are valid. */
  allowDemoKeys: boolean;
  environment: Environment;
  /** The issuer of persons' tokens; undefined without one. */
  persons: PersonSettings | undefined;
  /** The keys of persons' names and subjects. */
  keys: KeySet;
  slots: Slots;
  refusals: Refusals;
  pauses: CurrentPauses;
  observer: Observer;
}

interface OpenGates {
  gates: Gates;
  /** Also counts the further calls of a batch and the pages of a subscription, which the gates count as one call. */
  rateLimiter: RateLimiter;
  /** Authenticates the key of an open subscription again, without the cache. Refuses a paused platform's key. */
  reauthenticate: Authenticate;
  close(): Promise<unknown>;
}

/** Opens the gates that each request passes: authenticate, rate, slot. */
export function openGates(options: Options): OpenGates {
  const { database, cache, ports, rateOf, redisUrl, allowDemoKeys, slots, refusals, pauses, observer } =
    options;
  const onFailure = (reason: string) => observer.observe("rate_limit_not_shared", { reason });
  const shared = redisUrl === undefined ? undefined : createRedisRate(redisUrl, onFailure);
  const rateLimiter = createRateLimiter({ rateOf, shared });
  const verifyPersonWith = options.persons && personVerification(options.persons, options);
  const authenticateWith = (cache: LookupCache) =>
    createAuthenticate({
      findApiKey: findApiKey(database, cache),
      platforms: { find: (platformId) => findPlatform(ports, platformId) },
      isLiveKey: (keyId) => isLiveKey(ports.database, keyId),
      urls: ports.fileUrls,
      allowDemoKeys,
      environment: options.environment,
      verifyPerson: verifyPersonWith?.(cache),
    });
  const authenticateAgain = authenticateWith(noLookupCache);
  return {
    gates: createGates({ authenticate: authenticateWith(cache), rateLimiter, slots, refusals, pauses }),
    rateLimiter,
    reauthenticate: (head) =>
      andThen(authenticateAgain(head), (caller) => {
        const paused = refusePaused(pauses, caller);
        if (paused) throw paused;
        return caller;
      }),
    close: async () => shared?.close(),
  };
}
