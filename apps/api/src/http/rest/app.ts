import { isRecord } from "@cardbridge/domain";
import type { Ports } from "@cardbridge/service";
import { type Handler, Hono, type MiddlewareHandler } from "hono";
import * as z from "zod";
import { basePath } from "../../config/paths.ts";
import { replayHeader } from "../errors/problem.ts";
import { behindGates } from "../middleware/chain.ts";
import type { HttpEnv } from "../middleware/context.ts";
import { readJson } from "../middleware/read-json.ts";
import { queryReader } from "../middleware/read-query.ts";
import { acceptedStatus, namesInPath, type Route } from "./routes.ts";

interface Options {
  routes: readonly Route[];
  ports: Ports;
  readForm: MiddlewareHandler<HttpEnv>;
}

/** Creates an app with every route. Of two paths that match a request, the path with fewer parameters handles it. */
export function createRestApp({ routes, ports, readForm }: Options): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const readers = { query: [], json: [readJson], form: [readForm] };
  const names = ({ path }: Route) => namesInPath(path).length;
  for (const route of routes.toSorted((one, other) => names(one) - names(other))) {
    const middleware = behindGates(...readers[route.reads]);
    app.on(route.method.toUpperCase(), [honoPath(route.path)], middleware, handle(route, ports));
  }
  return app;
}

function handle(route: Route, ports: Ports): Handler<HttpEnv> {
  const { operation, reads, status, accepted, path } = route;
  const isQuery = reads === "query";
  const readQuery = queryReader(isQuery ? operation.input : noParameters, namesInPath(path));
  return async (c) => {
    const { values, violations } = readQuery(c.req.url);
    const raw = withPath(isQuery ? values : c.get("body"), c.req.param());
    const { data, replayed } = await operation.execute(ports, c.get("call"), raw, violations);
    const headers = replayHeader(replayed);
    if (!accepted || codeOf(data) !== accepted.code) return c.json(data as object, status, headers);
    const pending = pendingHeaders(accepted.location, data, ports.providerSlots.resultAfter());
    return c.json(data as object, acceptedStatus, { ...headers, ...pending });
  };
}

/** Where and when to read an accepted record (gap G14). */
function pendingHeaders(location: string, data: unknown, seconds: number): Record<string, string> {
  const path = location.replace(/\{(\w+)\}/g, (_, name: string) => String(Reflect.get(Object(data), name)));
  return { location: `${basePath}${path}`, "retry-after": String(seconds) };
}

/** The input with the names in the path. A body that is not an object stays unchanged, and the operation refuses it. */
function withPath(input: unknown, names: Record<string, string>): unknown {
  return isRecord(input) ? { ...input, ...names } : input;
}

/** The query of a route that reads a body. */
const noParameters = z.object({});

/** Converts OpenAPI's `{name}` into Hono's `:name`. */
function honoPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ":$1");
}

function codeOf(data: unknown): unknown {
  return isRecord(data) ? data.code : undefined;
}
