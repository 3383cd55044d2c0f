import type { Code } from "@cardbridge/domain";
import type { Ports } from "@cardbridge/operations";
import { type Handler, Hono, type MiddlewareHandler } from "hono";
import { replayHeader } from "../errors/problem.ts";
import type { Chain } from "../middleware/chain.ts";
import type { HttpEnv } from "../middleware/context.ts";
import { queryReader } from "../middleware/read-query.ts";
import type { Route } from "./routes.ts";

interface Options {
  routes: readonly Route[];
  ports: Ports;
  chain: Chain;
  readJson: MiddlewareHandler<HttpEnv>;
  readForm: MiddlewareHandler<HttpEnv>;
}

/** Creates an app with every route of the table. */
export function createRestApp({ routes, ports, chain, readJson, readForm }: Options): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const readers = { query: [], json: [readJson], form: [readForm] };
  for (const route of routes) {
    const middleware = chain(route.operation.kind, ...readers[route.reads]);
    app.on(route.method.toUpperCase(), [honoPath(route.path)], middleware, handle(route, ports));
  }
  return app;
}

function handle(route: Route, ports: Ports): Handler<HttpEnv> {
  const { operation, reads, statuses, status = 200 } = route;
  const readQuery = queryReader(operation.input);
  return async (c) => {
    const query = reads === "query" ? readQuery(c.req.url) : undefined;
    const raw = query ? { ...query.values, ...c.req.param() } : c.get("body");
    const { data, replayed } = await operation.execute(ports, c.get("call"), raw, query?.violations);
    return c.json(data as object, statuses[codeOf(data)] ?? status, replayHeader(replayed));
  };
}

/** Converts OpenAPI's `{name}` into Hono's `:name`. */
function honoPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ":$1");
}

function codeOf(data: unknown): Code {
  return (data as { code: Code }).code;
}
