import { Failure } from "@cardbridge/domain";
import type { AnyTRPCProcedure, AnyTRPCRouter } from "@trpc/server";
import type { MiddlewareHandler } from "hono";
import { malformed } from "../errors/malformed.ts";
import { errorResponse } from "../errors/render.ts";
import type { HttpEnv } from "../middleware/context.ts";
import { namesIn } from "./path.ts";

const both = ["GET", "POST"];

/**
 * Allows GET for queries and subscriptions, and POST for mutations. Unknown procedures and mixed batches allow both.
 * Records the procedures for the log.
 * @throws Failure MALFORMED_REQUEST for a malformed path.
 */
export function guardMethod(router: AnyTRPCRouter): MiddlewareHandler<HttpEnv> {
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
