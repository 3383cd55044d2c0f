import type { Failure } from "@cardbridge/domain";
import { Hono, type MiddlewareHandler } from "hono";
import type { HttpEnv } from "../http/context.ts";
import { readIdempotencyKey } from "../http/idempotency-key.ts";
import { readJson } from "../http/read-json.ts";
import type { LimitRate } from "../limits/limit-rate.ts";
import type { Operations, Ports } from "../operations/index.ts";
import { callProcedure } from "./call-procedure.ts";
import { guardMethod, readInput, refuseUnserved } from "./guards.ts";
import { createRouter } from "./router.ts";

interface Options {
  operations: Operations;
  ports: Ports;
  authenticate: MiddlewareHandler<HttpEnv>;
  limit: LimitRate;
  /** Told of every failure that nobody foresaw. */
  onUnforeseen(failure: Failure, requestId: string): void;
}

/** tRPC for internal TypeScript apps, unbatched: one HTTP request is one call. */
export function createTrpcApp({
  operations,
  ports,
  authenticate,
  limit,
  onUnforeseen,
}: Options): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const call = callProcedure(createRouter(operations), ports, onUnforeseen);
  app.use("/*", authenticate, guardMethod(operations));
  app.get("/*", limit("query"), refuseUnserved, readInput, call);
  app.post("/*", limit("mutation"), refuseUnserved, readIdempotencyKey, readJson, call);
  return app;
}
