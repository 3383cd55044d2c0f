import type { Code, Failure } from "@cardbridge/domain";
import { type Handler, Hono, type MiddlewareHandler } from "hono";
import { toFailure } from "../errors/mapping.ts";
import type { HttpEnv } from "../middleware/context.ts";
import { readIdempotencyKey } from "../middleware/read-idempotency-key.ts";
import { readJson } from "../middleware/read-json.ts";
import { queryReader } from "../middleware/read-query.ts";
import type { LimitRate } from "../middleware/limit-rate.ts";
import type { Ports } from "../operations/index.ts";
import { type PathStyle, problemHeaders, replayHeader, toProblem } from "../errors/problem.ts";
import type { Route } from "./routes.ts";

/** Mounts every route of the table. */
export function createRestApp(
  routes: readonly Route[],
  ports: Ports,
  authenticate: MiddlewareHandler<HttpEnv>,
  limit: LimitRate,
  readForm: MiddlewareHandler<HttpEnv>,
): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const readers = { query: [], json: [readJson], form: [readForm] };
  for (const route of routes) {
    const reading = readers[route.reads];
    const handlers = [
      authenticate,
      limit(route.operation.kind),
      readIdempotencyKey,
      ...reading,
      handle(route, ports),
    ];
    app.on(route.method.toUpperCase(), [honoPath(route.path)], ...handlers);
  }
  return app;
}

function handle(route: Route, ports: Ports): Handler<HttpEnv> {
  const { operation, statuses, status = 200 } = route;
  const readQuery = queryReader(operation.input);
  const style = route.reads === "query" ? "parameter" : "pointer";
  return async (c) => {
    try {
      const query = route.reads === "query" ? readQuery(c.req.url) : undefined;
      const raw = query ? { ...query.values, ...c.req.param() } : c.get("body");
      const { data, replayed } = await operation.execute(ports, c.get("call"), raw, query?.violations);
      return c.json(data as object, statuses[codeOf(data)] ?? status, replayHeader(replayed));
    } catch (error) {
      const failure = toFailure(error, c.get("call").signal);
      if (failure.code === "INTERNAL_ERROR") throw failure;
      c.set("failure", failure);
      return renderProblem(failure, c.get("requestId"), style);
    }
  };
}

/** An error as a response of `application/problem+json` (gap G2). */
export function renderProblem(
  failure: Failure,
  requestId: string,
  style: PathStyle = "pointer",
  headers: Record<string, string> = {},
): Response {
  const body = toProblem(failure, requestId, style);
  return new Response(JSON.stringify(body), {
    status: body.status,
    headers: { "content-type": "application/problem+json", ...problemHeaders(failure), ...headers },
  });
}

/** OpenAPI writes `{name}` where hono writes `:name`. */
function honoPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ":$1");
}

function codeOf(data: unknown): Code {
  return (data as { code: Code }).code;
}
