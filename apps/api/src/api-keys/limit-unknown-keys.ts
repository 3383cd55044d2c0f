import { type ApiKey, type ApiKeys, Failure } from "@cardbridge/domain";
import { createTokenBucket, type Rate } from "../rate-limits/token-bucket.ts";

/** The maximum rate of look-ups of unknown keys: far above mistakes, far below a load for the database. */
const unknownKeyRate: Rate = { calls: 500, seconds: 10 };

/**
 * Protects the database from a flood of well-formed but unknown keys. Known keys are not limited.
 * @throws Failure RATE_LIMITED for an unknown key during a flood.
 */
export function limitUnknownKeys(apiKeys: ApiKeys, now?: () => number): ApiKeys {
  const bucket = createTokenBucket(unknownKeyRate, now);
  const knownKeys = new Set<string>();
  return {
    async find(hash) {
      const name = hash.toString("base64");
      const isKnown = knownKeys.has(name);
      if (!isKnown && !bucket.take()) {
        throw new Failure("RATE_LIMITED", { retryAfterSeconds: bucket.state().secondsToNext });
      }
      let key: ApiKey | null | undefined;
      try {
        key = await apiKeys.find(hash);
        return key;
      } finally {
        if (!isKnown && key !== null) bucket.giveBack();
        if (key) knownKeys.add(name);
        if (key === null) knownKeys.delete(name);
      }
    },
  };
}
