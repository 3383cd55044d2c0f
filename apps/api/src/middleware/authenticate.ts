import {
  type ApiKeys,
  Failure,
  internalPlatformId,
  type Platforms,
  platformHeader,
} from "@cardbridge/domain";
import { createMiddleware } from "hono/factory";
import { hashApiKey, isWellFormed } from "../api-keys/api-key.ts";
import { bearerKey } from "../api-keys/bearer-key.ts";
import { isDemoKey } from "../api-keys/demo-keys.ts";
import type { Callers } from "../load-shedding/callers.ts";
import { addressOf } from "../server/address.ts";
import type { HttpEnv } from "./context.ts";
import { platformOf } from "./platform-of.ts";

interface Options {
  apiKeys: ApiKeys;
  platforms: Platforms;
  /** Whether the public demo keys are valid: with the embedded database only. */
  allowDemoKeys: boolean;
  /** Remembers who authenticated. */
  callers: Pick<Callers, "remember">;
}

/**
 * Turns `Authorization: Bearer <API key>` into the call: its actor, platform and scopes (gap G19).
 * @throws Failure UNAUTHENTICATED for a missing, malformed, unknown, expired or revoked key;
 *   PLATFORM_FORBIDDEN or PLATFORM_NOT_FOUND for the named platform.
 */
export function authenticate({ apiKeys, platforms, allowDemoKeys, callers }: Options) {
  return createMiddleware<HttpEnv>(async (c, next) => {
    const key = bearerKey(c.req.header("authorization"));
    if (key === undefined || !isWellFormed(key)) throw new Failure("UNAUTHENTICATED");
    if (isDemoKey(key) && !allowDemoKeys) throw new Failure("UNAUTHENTICATED");
    const keyHash = hashApiKey(key);
    const apiKey = await apiKeys.find(keyHash);
    if (!apiKey) throw new Failure("UNAUTHENTICATED");
    const named = c.req.header(platformHeader);
    const platformId = await platformOf(apiKey, named, platforms);
    callers.remember(keyHash, named, platformId);
    c.set("call", {
      kind: apiKey.platformId === internalPlatformId ? "internal" : "platform",
      requestId: c.get("requestId"),
      actor: apiKey.keyId,
      address: addressOf(c.env),
      platformId,
      scopes: new Set(apiKey.scopes),
      signal: c.req.raw.signal,
    });
    await next();
  });
}
