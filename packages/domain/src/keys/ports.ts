import type { KeyFilter } from "./inputs.ts";
import type { KeyFacts } from "./key.ts";
import type { Scope } from "./scopes.ts";

export interface ApiKey {
  keyId: string;
  platformId: string;
  scopes: readonly Scope[];
}

export interface ApiKeys {
  /**
   * Finds the live key with this SHA-256 hash; null if it is unknown, expired or revoked. Updates the key's last use
   * at most once a minute. A cached result is returned without a promise.
   */
  find(hash: Buffer): ApiKey | Promise<ApiKey | null>;
}

/** A key to store: its hash, without the key itself. */
export interface NewKey extends Pick<KeyFacts, "keyId" | "name" | "prefix" | "createdBy" | "expiresAt"> {
  scopes: readonly Scope[];
  /** SHA-256 of the whole key. */
  hash: Buffer;
}

/** Administers API keys by their ids. It never reads a hash. */
export interface KeyAdmin {
  /** Lists keys by platform and name, newest first. The limit is 1 to 1000. */
  list(filter: KeyFilter): Promise<KeyFacts[]>;
  show(keyId: string): Promise<KeyFacts | null>;
  /** @throws Failure PLATFORM_NOT_FOUND, KEY_CONFLICT if a live key of the platform has this name. */
  create(platformId: string, key: NewKey): Promise<KeyFacts>;
  /**
   * In one transaction: creates the successor, and sets the key to expire after the overlap or earlier.
   * @throws Failure KEY_NOT_FOUND, KEY_CONFLICT unless the key is the only live key with its name.
   */
  rotate(
    keyId: string,
    successor: NewKey,
    overlapHours: number,
  ): Promise<{ successor: KeyFacts; predecessor: KeyFacts }>;
  /** Revokes a key for all processes, permanently. Null if the key does not exist. */
  revoke(keyId: string): Promise<KeyFacts | null>;
}
