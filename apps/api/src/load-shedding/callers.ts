import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";

/** The headers that name a caller and the platform it calls for. */
interface Credentials {
  authorization: string | undefined;
  platform: string | undefined;
}

/** The platforms of the callers that authenticated. It decides nothing but whose share or rate a request would use. */
export interface Callers {
  remember(credentials: Credentials, platformId: string): void;
  platformOf(credentials: Credentials): string | undefined;
}

/** Creates the memory of the latest `max` callers. It keeps hashes of API keys, and no key. */
export function createCallers(max = 10_000): Callers {
  const platformIds = new LRUCache<string, string>({ max });
  return {
    remember: (credentials, platformId) => void platformIds.set(nameOf(credentials), platformId),
    platformOf: (credentials) =>
      credentials.authorization === undefined ? undefined : platformIds.get(nameOf(credentials)),
  };
}

function nameOf({ authorization = "", platform = "" }: Credentials): string {
  return hash("sha256", `${authorization}\n${platform}`);
}
