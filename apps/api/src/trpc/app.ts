import type { Failure } from "@cardbridge/domain";
import type { Operations, Ports } from "@cardbridge/operations";
import { Hono } from "hono";
import type { Authenticate } from "../admission/authenticate.ts";
import type { RateLimiter } from "../admission/rate-limiter.ts";
import { behindGates } from "../middleware/chain.ts";
import type { HttpEnv } from "../middleware/context.ts";
import { readJson } from "../middleware/read-json.ts";
import { guardInput } from "./guard-input.ts";
import { guardMethod } from "./guard-method.ts";
import { createRouter } from "./router.ts";
import { serveCalls } from "./serve-calls.ts";
import type { Subscriptions } from "./subscriptions.ts";

interface Options {
  operations: Operations;
  ports: Ports;
  rateLimiter: RateLimiter;
  subscriptions: Subscriptions;
  /** Authenticates the key of an open subscription again, without a cache. */
  reauthenticate: Authenticate;
  /** Receives every unexpected failure. */
  onUnexpected(failure: Failure, requestId: string): void;
}

/** tRPC for internal TypeScript apps, served by its own adapter behind the middlewares of every transport. */
export function createTrpcApp({ operations, ...options }: Options): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const router = createRouter(operations);
  const guard = guardMethod(router);
  const serve = serveCalls({ router, ...options });
  app.get("/*", behindGates(guard, guardInput), serve);
  app.post("/*", behindGates(guard, readJson, guardInput), serve);
  // The guard responds to every other method with 405.
  app.all("/*", behindGates(guard));
  return app;
}
