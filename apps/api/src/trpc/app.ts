import { Failure, isRecord } from "@cardbridge/domain";
import type { Operations, Ports } from "@cardbridge/service";
import type { AnyTRPCProcedure, AnyTRPCRouter } from "@trpc/server";
import { Hono, type MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import type { Authenticate } from "../admission/authenticate.ts";
import { type RateLimiter, urgentIn } from "../admission/rate.ts";
import { malformed } from "../http/errors/malformed.ts";
import { errorResponse } from "../http/errors/render.ts";
import { behindGates } from "../http/middleware/chain.ts";
import type { HttpEnv } from "../http/middleware/context.ts";
import { parseJson } from "../http/middleware/parse-json.ts";
import { readJson } from "../http/middleware/read-json.ts";
import { readQuery } from "../http/middleware/read-query.ts";
import { namesIn } from "./path.ts";
import { createRouter } from "./router.ts";
import { serveCalls } from "./serve-calls.ts";
import type { Subscriptions } from "./subscriptions.ts";

const both = ["GET", "POST"];

const parameters = new Set(["batch", "connectionParams", "input"]);

/**
 * Applies our input limits before tRPC parses the request: each parameter once, valid percent-encoding, and limited
 * JSON depth. Runs after the body reader.
 * @throws Failure INVALID_INPUT, MALFORMED_REQUEST.
 */
const guardInput = createMiddleware<HttpEnv>(async (c, next) => {
  const { values, violations } = readQuery(c.req.url, parameters);
  if (violations.length > 0) throw new Failure("INVALID_INPUT", { violations });
  const { batch, connectionParams, input } = values;
  if (connectionParams !== undefined) {
    const message = "Send the API key in the header Authorization, not in connectionParams.";
    throw malformed("connection-params", message);
  }
  if (c.req.method === "GET") {
    if (input !== undefined) c.set("body", parseJson(input, "input"));
    // A GET has no body, but tRPC would use its content type.
    c.req.raw.headers.delete("content-type");
  }
  const sent = c.get("body");
  if (batch === "1" && sent !== undefined && !isRecord(sent)) {
    throw malformed(
      "batch-input",
      'Send the inputs of a batch as an object with their indexes as keys: {"0": …, "1": …}.',
    );
  }
  await next();
});

interface Options {
  operations: Operations;
  ports: Ports;
  rateLimiter: RateLimiter;
  subscriptions: Subscriptions;
  /** Authenticates the key of an open subscription again, without a cache. */
  reauthenticate: Authenticate;
  /** Receives every unexpected failure. */
  onUnexpected(failure: Failure, requestId: string): void;
}

/** tRPC for internal TypeScript apps, served by its own adapter behind the middlewares of every transport. */
export function createTrpcApp({ operations, ...options }: Options): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const router = createRouter(operations);
  const guard = guardMethod(router);
  const serve = serveCalls({ router, isUrgent: urgentIn(operations), ...options });
  app.get("/*", behindGates(guard, guardInput), serve);
  app.post("/*", behindGates(guard, readJson, guardInput), serve);
  // The guard responds to every other method with 405.
  app.all("/*", behindGates(guard));
  return app;
}

/**
 * Allows GET for queries and subscriptions, and POST for mutations. Unknown procedures and mixed batches allow both.
 * Records the procedures for the log.
 * @throws Failure MALFORMED_REQUEST for a malformed path.
 */
function guardMethod(router: AnyTRPCRouter): MiddlewareHandler<HttpEnv> {
  const all: [string, AnyTRPCProcedure][] = Object.entries(router._def.procedures);
  const methods = new Map(all.map(([id, { _def }]) => [id, _def.type === "mutation" ? "POST" : "GET"]));
  return async (c, next) => {
    const { method } = c.req;
    const names = read(c.req);
    c.set("procedures", [...new Set(names.map((name) => (methods.has(name) ? name : "unknown")))]);
    const named = new Set(names.flatMap((name) => methods.get(name) ?? []));
    const allowed = named.size === 1 ? [...named] : both;
    if (allowed.includes(method)) return next();
    return errorResponse(new Failure("METHOD_NOT_ALLOWED"), {
      requestId: c.get("requestId"),
      method,
      path: c.req.path,
      headers: { allow: allowed.join(", ") },
    });
  };
}

function read(request: Parameters<typeof namesIn>[0]): string[] {
  try {
    return namesIn(request);
  } catch {
    throw malformed("percent-encoding", "The percent-encoding of the procedure's name is invalid.");
  }
}
