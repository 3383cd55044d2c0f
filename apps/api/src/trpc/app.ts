import type { Failure } from "@cardbridge/domain";
import { Hono, type MiddlewareHandler } from "hono";
import type { HttpEnv } from "../middleware/context.ts";
import { readIdempotencyKey } from "../middleware/read-idempotency-key.ts";
import { readJson } from "../middleware/read-json.ts";
import { type CountCall, limitRate } from "../middleware/limit-rate.ts";
import type { Operations, Ports } from "../operations/index.ts";
import { guardInput } from "./guard-input.ts";
import { guardMethod } from "./guard-method.ts";
import { createRouter } from "./router.ts";
import { serveCalls } from "./serve-calls.ts";

interface Options {
  operations: Operations;
  ports: Ports;
  authenticate: MiddlewareHandler<HttpEnv>;
  countCall: CountCall;
  /** Told of every failure that nobody foresaw. */
  onUnforeseen(failure: Failure, requestId: string): void;
}

/** tRPC for internal TypeScript apps, served by its own adapter behind the limits that every transport has. */
export function createTrpcApp({
  operations,
  ports,
  authenticate,
  countCall,
  onUnforeseen,
}: Options): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const limit = limitRate(countCall);
  const serve = serveCalls({ router: createRouter(operations), ports, countCall, onUnforeseen });
  app.use("/*", authenticate, guardMethod(operations));
  app.get("/*", limit("query"), readIdempotencyKey, guardInput, serve);
  app.post("/*", limit("mutation"), readIdempotencyKey, readJson, guardInput, serve);
  return app;
}
