import type { CurrentPauses, Observer } from "@cardbridge/domain";
import { findPlatform, type Operations, type Ports } from "@cardbridge/service";
import {
  type Database,
  findApiKey,
  identifyPersons,
  isLiveKey,
  type LookupCache,
  noLookupCache,
} from "@cardbridge/service/database";
import { type Authenticate, createAuthenticate } from "../admission/authenticate.ts";
import { createGates, type Gates } from "../admission/gates.ts";
import { refusePaused } from "../admission/pauses.ts";
import { createPersonVerification } from "../admission/persons/verify-person.ts";
import { createRateLimiter, type RateLimiter, type RateOf } from "../admission/rate.ts";
import { createRedisRate } from "../admission/redis-rate.ts";
import type { Refusals } from "../admission/refusals.ts";
import type { Slots } from "../admission/slots.ts";
import type { Env } from "../config/env.ts";
import type { SignedUrls } from "../http/rest/file-urls.ts";
import { personSettings } from "./options.ts";

interface Options {
  env: Env;
  operations: Operations;
  /** The database for look-ups of API keys. */
  database: Database;
  cache: LookupCache;
  ports: Ports & { fileUrls: SignedUrls };
  rateOf: RateOf;
  /** Whether the public demo keys are valid. */
  allowDemoKeys: boolean;
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
  const { env, operations, database, cache, ports, slots, refusals, pauses, observer } = options;
  const { RATE_LIMIT_REDIS_URL: redisUrl } = env;
  const onUnshared = (reason: string) => observer.observe("rate_limit_not_shared", { reason });
  const shared = redisUrl === undefined ? undefined : createRedisRate(redisUrl, onUnshared);
  const rateLimiter = createRateLimiter({ rateOf: options.rateOf, shared });
  const persons = personSettings(env);
  const verifyPersonWith =
    persons &&
    createPersonVerification({
      ...persons,
      onFailure: (reason) => observer.observe("issuer_keys_failed", { reason }),
      newPersonId: ports.ids.personId,
    });
  const authenticateWith = (cache: LookupCache) =>
    createAuthenticate({
      findApiKey: findApiKey(database, cache),
      findPlatform: (platformId) => findPlatform(ports, platformId),
      isLiveKey: (keyId) => isLiveKey(ports.database, keyId),
      urls: ports.fileUrls,
      allowDemoKeys: options.allowDemoKeys,
      environment: env.ENVIRONMENT,
      verifyPerson: verifyPersonWith?.(identifyPersons({ ...ports, cache })),
    });
  const authenticate = authenticateWith(cache);
  const authenticateAgain = authenticateWith(noLookupCache);
  return {
    gates: createGates({ operations, authenticate, rateLimiter, slots, refusals, pauses }),
    rateLimiter,
    async reauthenticate(head) {
      const caller = await authenticateAgain(head);
      const paused = refusePaused(pauses, caller);
      if (paused) throw paused;
      return caller;
    },
    close: async () => shared?.close(),
  };
}
