import { type ApiKeys, Failure } from "@cardbridge/domain";
import { createMiddleware } from "hono/factory";
import { addressOf } from "../http/address.ts";
import type { HttpEnv } from "../http/context.ts";
import { hashApiKey, isWellFormed } from "./api-key.ts";
import { isDemoKey } from "./demo-keys.ts";

interface Options {
  apiKeys: ApiKeys;
  /** Whether the public demo keys count: on the embedded database only. */
  allowDemoKeys: boolean;
}

/**
 * Turns `Authorization: Bearer <API key>` into the call: its actor, platform and scopes (gap G19).
 * @throws Failure UNAUTHENTICATED, the same for a key that is missing, mistyped, unknown, expired or revoked.
 */
export function authenticate({ apiKeys, allowDemoKeys }: Options) {
  return createMiddleware<HttpEnv>(async (c, next) => {
    const key = /^Bearer +(\S+)$/i.exec(c.req.header("authorization") ?? "")?.[1];
    if (key === undefined || !isWellFormed(key)) throw new Failure("UNAUTHENTICATED");
    if (isDemoKey(key) && !allowDemoKeys) throw new Failure("UNAUTHENTICATED");
    const found = await apiKeys.find(hashApiKey(key));
    if (!found) throw new Failure("UNAUTHENTICATED");
    c.set("call", {
      requestId: c.get("requestId"),
      actor: found.keyId,
      address: addressOf(c.env),
      platformId: found.platformId,
      scopes: new Set(found.scopes),
      signal: c.req.raw.signal,
    });
    await next();
  });
}
