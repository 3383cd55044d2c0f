import type { Failure } from "@cardbridge/domain";
import type { Operations, Ports } from "@cardbridge/operations";
import { Hono, type MiddlewareHandler } from "hono";
import type { Chain } from "../middleware/chain.ts";
import type { HttpEnv } from "../middleware/context.ts";
import type { CountCall } from "../middleware/limit-rate.ts";
import type { Subscriptions } from "../subscriptions/subscriptions.ts";
import { guardInput } from "./guard-input.ts";
import { guardMethod } from "./guard-method.ts";
import { createRouter } from "./router.ts";
import { serveCalls } from "./serve-calls.ts";

interface Options {
  operations: Operations;
  ports: Ports;
  chain: Chain;
  readJson: MiddlewareHandler<HttpEnv>;
  countCall: CountCall;
  subscriptions: Subscriptions;
  /** Receives every unexpected failure. */
  onUnexpected(failure: Failure, requestId: string): void;
}

/** tRPC for internal TypeScript apps, served by its own adapter behind the middlewares of every transport. */
export function createTrpcApp({
  operations,
  ports,
  chain,
  readJson,
  countCall,
  subscriptions,
  onUnexpected,
}: Options): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const router = createRouter(operations);
  const guard = guardMethod(router);
  const serve = serveCalls({ router, ports, subscriptions, countCall, onUnexpected });
  app.get("/*", chain("query", guard, guardInput), serve);
  app.post("/*", chain("mutation", guard, readJson, guardInput), serve);
  // The guard answers every other method with 405.
  app.all("/*", chain("mutation", guard));
  return app;
}
