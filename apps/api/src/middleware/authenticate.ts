import {
  type ApiKeys,
  Failure,
  internalPlatformId,
  type Platforms,
  platformHeader,
} from "@cardbridge/domain";
import { createMiddleware } from "hono/factory";
import { hashApiKey, isWellFormed } from "../api-keys/api-key.ts";
import { isDemoKey } from "../api-keys/demo-keys.ts";
import { addressOf } from "../server/address.ts";
import type { HttpEnv } from "./context.ts";
import { platformOf } from "./platform-of.ts";

interface Options {
  apiKeys: ApiKeys;
  platforms: Platforms;
  /** Whether the public demo keys are valid: with the embedded database only. */
  allowDemoKeys: boolean;
}

/**
 * Turns `Authorization: Bearer <API key>` into the call: its actor, platform and scopes (gap G19).
 * @throws Failure UNAUTHENTICATED for a missing, malformed, unknown, expired or revoked key;
 *   PLATFORM_FORBIDDEN or PLATFORM_NOT_FOUND for the named platform.
 */
export function authenticate({ apiKeys, platforms, allowDemoKeys }: Options) {
  return createMiddleware<HttpEnv>(async (c, next) => {
    const key = /^Bearer +(\S+)$/i.exec(c.req.header("authorization") ?? "")?.[1];
    if (key === undefined || !isWellFormed(key)) throw new Failure("UNAUTHENTICATED");
    if (isDemoKey(key) && !allowDemoKeys) throw new Failure("UNAUTHENTICATED");
    const apiKey = await apiKeys.find(hashApiKey(key));
    if (!apiKey) throw new Failure("UNAUTHENTICATED");
    c.set("call", {
      kind: apiKey.platformId === internalPlatformId ? "internal" : "platform",
      requestId: c.get("requestId"),
      actor: apiKey.keyId,
      address: addressOf(c.env),
      platformId: await platformOf(apiKey, c.req.header(platformHeader), platforms),
      scopes: new Set(apiKey.scopes),
      signal: c.req.raw.signal,
    });
    await next();
  });
}
