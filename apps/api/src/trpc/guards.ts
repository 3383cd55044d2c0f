import { Failure } from "@cardbridge/domain";
import type { HonoRequest, MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import type { HttpEnv } from "../http/context.ts";
import { parseJson } from "../http/parse-json.ts";
import { readQuery } from "../http/read-query.ts";
import { listProcedures, type Operations } from "../operations/index.ts";
import { renderTrpcError } from "./render-error.ts";

/** Whether a path is tRPC's, whatever there is behind it. */
export const isTrpc = (path: string): boolean => path === trpcPath || path.startsWith(`${trpcPath}/`);

export const trpcPath = "/trpc";

/** tRPC names no content type for what it refuses before it knows the procedure. */
export const allJson = createMiddleware<HttpEnv>(async (c, next) => {
  await next();
  c.res.headers.set("content-type", "application/json");
});

/** A query is asked for with GET, a mutation with POST, and a procedure that there is not with either. */
export function guardMethod(operations: Operations): MiddlewareHandler<HttpEnv> {
  const all = listProcedures(operations);
  const methods = new Map(all.map(({ id, kind }) => [id, kind === "query" ? ["GET"] : ["POST"]]));
  return async (c, next) => {
    const { path, method } = c.req;
    // tRPC forgives two slashes at the end.
    const name = path.slice(trpcPath.length + 1).replace(/\/{1,2}$/, "");
    const allowed = methods.get(name) ?? ["GET", "POST"];
    if (allowed.includes(method)) return next();
    const headers = { allow: allowed.join(", ") };
    return renderTrpcError(new Failure("METHOD_NOT_ALLOWED"), c.get("requestId"), method, headers);
  };
}

interface Unserved {
  rule: string;
  message: string;
  asked(request: HonoRequest): boolean;
}

/** What tRPC has and this service does not serve (gap G20). */
const unserved: readonly Unserved[] = [
  {
    rule: "batch",
    message: "Send one call per request, without batch; the client's httpLink does.",
    asked: (request) => request.query("batch") !== undefined,
  },
  {
    rule: "connection-params",
    message: "Send the API key in the header Authorization, and no connectionParams.",
    asked: (request) => request.query("connectionParams") !== undefined,
  },
  {
    rule: "stream",
    message: "Answers are application/json; do not ask for application/jsonl.",
    asked: (request) =>
      [request.header("trpc-accept"), ...(request.header("accept") ?? "").split(",")].some(
        (type) => type?.trim() === "application/jsonl",
      ),
  },
];

export const refuseUnserved = createMiddleware<HttpEnv>(async (c, next) => {
  const violations = unserved
    .filter(({ asked }) => asked(c.req))
    .map(({ rule, message }) => ({ path: [], rule, message }));
  if (violations.length > 0) throw new Failure("MALFORMED_REQUEST", { violations });
  await next();
});

/** A query names its input at most once, in clean percent-encoding, as JSON within its limits. */
export const guardQuery = createMiddleware<HttpEnv>(async (c, next) => {
  const { values, violations } = readQuery(c.req.url, new Set(["input"]));
  if (violations.length > 0) throw new Failure("INVALID_INPUT", { violations });
  if (values.input !== undefined) parseJson(values.input, "input");
  // A GET has no body: what it says of one would lead tRPC astray.
  if (c.req.header("content-type") !== undefined) c.req.raw.headers.delete("content-type");
  await next();
});
