import { internalPlatformId } from "@cardbridge/domain";
import type { Call } from "@cardbridge/operations";
import type { Context } from "hono";
import { addressOf } from "../http/address.ts";
import type { HttpEnv } from "./context.ts";

/** The call of a provider with a verified signature. It names no platform. */
export function providerCall(c: Context<HttpEnv>): Call {
  return {
    kind: "provider",
    actor: "provider",
    platformId: internalPlatformId,
    scopes: new Set(),
    requestId: c.get("requestId"),
    address: addressOf(c.env?.incoming?.socket),
  };
}
