import type { RequestHandler } from "express";
import type pg from "pg";
import { callerOf } from "../common/pg/callers.js";
import { Problem } from "../common/problem.js";
import type { Caller } from "../common/submit.js";

/** What middlewares leave for handlers in `response.locals`. */
export interface Locals extends Record<string, unknown> {
  caller: Caller;
}

const bearer = /^Bearer (\S+)$/;

/** Lets a request in when its key is known and has this scope. */
export function requireScope(pool: pg.Pool, scope: string): RequestHandler {
  return async (request, response, next) => {
    const key = bearer.exec(request.headers.authorization ?? "")?.[1];
    const caller = key === undefined ? undefined : await callerOf(pool, key);
    if (caller === undefined) throw new Problem("UNAUTHENTICATED");
    if (!caller.scopes.includes(scope)) throw new Problem("SCOPE_MISSING");
    response.locals.caller = caller;
    next();
  };
}
