import type { FastifyInstance, FastifyRequest } from "fastify";
import type pg from "pg";
import { callerOf } from "../common/pg/callers.js";
import { Problem } from "../common/problem.js";
import type { Caller } from "../common/submit.js";

declare module "fastify" {
  interface FastifyRequest {
    caller: Caller;
  }
  interface FastifyContextConfig {
    scope?: string;
  }
}

const bearer = /^Bearer (\S+)$/;

/** Lets a request in when its key is known and has the scope that the route asks for. */
export function callers(app: FastifyInstance, pool: pg.Pool): void {
  app.decorateRequest("caller");
  app.addHook("onRequest", async (request: FastifyRequest) => {
    const { scope } = request.routeOptions.config;
    if (scope === undefined) return;
    const key = bearer.exec(request.headers.authorization ?? "")?.[1];
    const caller = key === undefined ? undefined : await callerOf(pool, key);
    if (caller === undefined) throw new Problem("UNAUTHENTICATED");
    if (!caller.scopes.includes(scope)) throw new Problem("SCOPE_MISSING");
    request.caller = caller;
  });
}
