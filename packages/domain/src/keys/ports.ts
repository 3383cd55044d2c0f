import type { KeyFacts } from "./key.ts";
import type { Scope } from "./scopes.ts";

export interface ApiKey {
  keyId: string;
  platformId: string;
  scopes: readonly Scope[];
}

export interface ApiKeys {
  /**
   * The live key with this SHA-256 hash; null when unknown, expired or revoked. Stores when the key was last
   * used, at most once a minute.
   */
  find(hash: Buffer): Promise<ApiKey | null>;
}

/** A key to be stored: the key itself is not part of it. */
export interface NewKey extends Pick<KeyFacts, "keyId" | "name" | "prefix" | "expiresAt"> {
  scopes: readonly Scope[];
  /** SHA-256 of the whole key. */
  hash: Buffer;
}

/** What operators do with API keys. A key is named by its id, and its hash is never read. */
export interface KeyAdmin {
  /** By platform and name, the newest first. The limit is 1 to 1000. */
  list(filter: { platformId?: string | undefined; limit: number }): Promise<KeyFacts[]>;
  show(keyId: string): Promise<KeyFacts | null>;
  /** @throws Failure PLATFORM_NOT_FOUND, KEY_CONFLICT where a live key of the platform has this name. */
  create(platformId: string, key: NewKey): Promise<KeyFacts>;
  /**
   * In one transaction: creates the successor, and lets the key expire after the overlap at the latest.
   * @throws Failure KEY_NOT_FOUND, KEY_CONFLICT unless the key is the only live one of its name.
   */
  rotate(
    keyId: string,
    successor: NewKey,
    overlapHours: number,
  ): Promise<{ successor: KeyFacts; predecessor: KeyFacts }>;
  /** The next look-up does not find the key, in any process; a revoked key stays revoked. Null for no key. */
  revoke(keyId: string): Promise<KeyFacts | null>;
}
