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

const inputOnly = new Set(["input"]);

/** The name of the procedure that a path asks for, such as `cards.list`. Slashes at its end are forgiven. */
export const procedureName = (path: string): string =>
  path.slice(trpcPath.length + 1).replace(/\/{1,2}$/, "");

/** A query is asked for with GET, a mutation with POST, and a procedure that there is not with either. */
export function guardMethod(operations: Operations): MiddlewareHandler<HttpEnv> {
  const all = listProcedures(operations);
  const methods = new Map(all.map(({ id, kind }) => [id, kind === "query" ? ["GET"] : ["POST"]]));
  return async (c, next) => {
    const { path, method } = c.req;
    const allowed = methods.get(procedureName(path)) ?? ["GET", "POST"];
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

/** What tRPC has and this service does not serve (gap G20), and a name that cannot be read. */
const unserved: readonly Unserved[] = [
  {
    rule: "percent-encoding",
    message: "Name the procedure as it is: its percent-encoding cannot be read.",
    asked: ({ path }) => path.includes("%") && !isDecodable(path),
  },
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

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Reads a query's input: named at most once, in clean percent-encoding, as JSON within its limits. */
export const readInput = createMiddleware<HttpEnv>(async (c, next) => {
  const { values, violations } = readQuery(c.req.url, inputOnly);
  if (violations.length > 0) throw new Failure("INVALID_INPUT", { violations });
  if (values.input !== undefined) c.set("body", parseJson(values.input, "input"));
  await next();
});
