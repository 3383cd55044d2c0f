import type { Failure } from "@cardbridge/domain";
import { trpcServer } from "@hono/trpc-server";
import { Hono, type MiddlewareHandler } from "hono";
import type { HttpEnv } from "../http/context.ts";
import { readIdempotencyKey } from "../http/idempotency-key.ts";
import { readJson } from "../http/read-json.ts";
import type { LimitRate } from "../limits/limit-rate.ts";
import type { Operations, Ports } from "../operations/index.ts";
import { problemHeaders, replayHeader } from "../problem.ts";
import { failureOf, nameRequest } from "./errors.ts";
import { allJson, guardMethod, guardQuery, refuseUnserved, trpcPath } from "./guards.ts";
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
  const router = createRouter(operations);
  app.use("/*", allJson, authenticate, guardMethod(operations));
  app.get("/*", limit("query"), refuseUnserved, guardQuery);
  app.post("/*", limit("mutation"), refuseUnserved, readIdempotencyKey, readJson);
  app.use("/*", (c, next) => {
    const requestId = c.get("requestId");
    // The adapter asks for the body, which was read already.
    c.req.json = () => Promise.resolve(c.get("body")) as Promise<never>;
    const answer = trpcServer({
      router,
      endpoint: trpcPath,
      allowBatching: false,
      createContext: () => ({ ports, call: c.get("call"), replayed: false }),
      onError: ({ error }) => {
        nameRequest(error, requestId);
        const failure = failureOf(error);
        c.set("failure", failure);
        if (failure.code === "INTERNAL_ERROR") onUnforeseen(failure, requestId);
      },
      responseMeta: ({ ctx, errors }) => ({
        headers: errors[0] ? problemHeaders(failureOf(errors[0])) : replayHeader(ctx?.replayed),
      }),
    });
    return answer(c, next);
  });
  return app;
}
