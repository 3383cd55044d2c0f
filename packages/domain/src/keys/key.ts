import * as z from "zod";
import { moment } from "../input/formats.ts";
import { idPattern } from "../input/id-pattern.ts";
import { internalPlatformId, platformId } from "../platforms/platform.ts";
import { type Scope, scope } from "./scopes.ts";

/** The owner of a key: a platform, or an internal app. */
export type KeyOwner = "platform" | "internal";

export const ownerOf = (platformId: string): KeyOwner =>
  platformId === internalPlatformId ? "internal" : "platform";

export const keyId = z
  .stringFormat("key-id", idPattern(80))
  .meta({ description: "The key's id, such as key_…; not the key itself." });

/** A key without its secret. */
export const keyFacts = z
  .object({
    keyId,
    platformId,
    name: z.string(),
    prefix: z.string().meta({ description: "The visible start of the key, which identifies it." }),
    scopes: z.array(scope),
    state: z.enum(["live", "expired", "revoked"]),
    createdAt: moment,
    createdBy: z
      .string()
      .nullable()
      .meta({ description: "The actor who made the key, as in the audit; null if that is unknown." }),
    expiresAt: moment.nullable(),
    revokedAt: moment.nullable(),
    lastUsedAt: moment.nullable().meta({ description: "Accurate to the minute." }),
  })
  .meta({ id: "KeyFacts" });
export type KeyFacts = z.output<typeof keyFacts>;

const key = z.string().meta({ description: "The key itself, shown only once." });

export const createdKey = keyFacts.extend({ key }).meta({ id: "CreatedKey" });
export type CreatedKey = z.output<typeof createdKey>;

export const rotatedKey = createdKey.extend({ predecessor: keyFacts }).meta({ id: "RotatedKey" });
export type RotatedKey = z.output<typeof rotatedKey>;

/** A live key, as calls use it. */
export interface ApiKey {
  keyId: string;
  platformId: string;
  scopes: readonly Scope[];
}

/**
 * Finds the live key with this SHA-256 hash; null if it is unknown, expired or revoked. Updates the key's last use at
 * most once a minute. A cached result is returned without a promise.
 */
export type FindApiKey = (hash: Buffer) => ApiKey | Promise<ApiKey | null>;
