import { Failure } from "@cardbridge/domain";
import { trpcServer } from "@hono/trpc-server";
import type { TRPCError } from "@trpc/server";
import { Hono, type MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import type { HttpEnv } from "../http/context.ts";
import { readIdempotencyKey } from "../http/idempotency-key.ts";
import { readJson } from "../http/read-json.ts";
import { readQuery } from "../http/read-query.ts";
import type { Operations, Ports } from "../operations/index.ts";
import { problemHeaders, replayHeader } from "../problem.ts";
import { failureOf, toErrorShape } from "./errors.ts";
import { createRouter } from "./router.ts";

export const trpcPath = "/trpc";

interface Options {
  operations: Operations;
  ports: Ports;
  authenticate: MiddlewareHandler<HttpEnv>;
  /** Told of every failure that nobody foresaw. */
  onUnforeseen(failure: Failure, requestId: string): void;
}

/** tRPC for internal TypeScript apps, unbatched: one HTTP request is one call. */
export function createTrpcApp({ operations, ports, authenticate, onUnforeseen }: Options): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.use("/*", authenticate, guardInput);
  app.use(
    "/*",
    trpcServer({
      router: createRouter(operations),
      endpoint: trpcPath,
      allowBatching: false,
      createContext: (_options, c) => ({
        ports,
        call: c.get("call"),
        replayed: false,
      }),
      onError: ({ error, ctx }) => {
        const failure = failureOf(error);
        if (failure.code === "INTERNAL_ERROR") onUnforeseen(failure, ctx?.call.requestId ?? "");
      },
      responseMeta: ({ ctx, errors, type }) => ({
        headers: errors[0] ? errorHeaders(errors[0], type) : replayHeader(ctx?.replayed),
      }),
    }),
  );
  return app;
}

/** A body is JSON within its limit; a query names its input at most once, in clean percent-encoding. */
const guardInput = createMiddleware<HttpEnv>((c, next) => {
  if (c.req.method === "POST") return readIdempotencyKey(c, () => readJson(c, next).then(() => {}));
  const { violations } = readQuery(c.req.url, new Set(["input"]));
  if (violations.length > 0) throw new Failure("INVALID_INPUT", { violations });
  return next();
});

function errorHeaders(error: TRPCError, type: string): Record<string, string> {
  const failure = failureOf(error);
  if (failure.code !== "METHOD_NOT_ALLOWED") return problemHeaders(failure);
  return { allow: type === "mutation" ? "POST" : "GET" };
}

/** An error from before tRPC took over, in the shape that a tRPC client reads. */
export function renderTrpcError(failure: Failure, requestId: string, method: string): Response {
  const shape = toErrorShape(failure, requestId, { type: method === "GET" ? "query" : "mutation" });
  const headers = { "content-type": "application/json", ...problemHeaders(failure) };
  return new Response(JSON.stringify({ error: shape }), { status: shape.data.httpStatus, headers });
}
