import { type ApiKey, type ApiKeys, Failure } from "@cardbridge/domain";
import { createTokenBucket, type Rate } from "../rate-limits/token-bucket.ts";

/** Unknown keys that this process looks up: far more than mistakes, far less than a database notices. */
const unknownKeys: Rate = { calls: 500, seconds: 10 };

/**
 * Keeps a flood of well-formed keys that nobody has from the database. Keys that were found before
 * pass, flood or not.
 * @throws Failure RATE_LIMITED for a key not seen before, while the flood lasts.
 */
export function limitUnknownKeys(apiKeys: ApiKeys, now?: () => number): ApiKeys {
  const bucket = createTokenBucket(unknownKeys, now);
  const found = new Set<string>();
  return {
    async find(hash) {
      const name = hash.toString("base64");
      const known = found.has(name);
      if (!known && !bucket.take()) {
        throw new Failure("RATE_LIMITED", { retryAfterSeconds: bucket.state().secondsToNext });
      }
      let key: ApiKey | null | undefined;
      try {
        key = await apiKeys.find(hash);
        return key;
      } finally {
        if (!known && key !== null) bucket.giveBack();
        if (key) found.add(name);
        if (key === null) found.delete(name);
      }
    },
  };
}
