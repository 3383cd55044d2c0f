import { LRUCache } from "lru-cache";
import { hashApiKey } from "../api-keys/api-key.ts";
import { bearerKey } from "../api-keys/bearer-key.ts";

/** The platforms of the callers that authenticated. It decides nothing but whose share or rate a request would use. */
export interface Callers {
  /** @param named the platform's id in the request, if it names one */
  remember(keyHash: Buffer, named: string | undefined, platformId: string): void;
  /** The platform of a request with these headers, if its caller is remembered. */
  platformOf(authorization: string | undefined, named: string | undefined): string | undefined;
}

/** Creates the memory of the latest `max` callers. It keeps hashes of API keys, and no key. */
export function createCallers(max = 10_000): Callers {
  const platformIds = new LRUCache<string, string>({ max });
  return {
    remember: (keyHash, named, platformId) => void platformIds.set(nameOf(keyHash, named), platformId),
    platformOf(authorization, named) {
      const key = bearerKey(authorization);
      return key === undefined ? undefined : platformIds.get(nameOf(hashApiKey(key), named));
    },
  };
}

function nameOf(keyHash: Buffer, named = ""): string {
  return `${keyHash.toString("hex")} ${named}`;
}
