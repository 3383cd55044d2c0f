import { createMiddleware } from "hono/factory";
import type { Dependencies, Env } from "./context.ts";
import { hasEffect, perform } from "./perform-fault.ts";

/** Applies the pending fault, if any, to each request. */
export function injectFaults(dependencies: Dependencies) {
  return createMiddleware<Env>(async (context, next) => {
    const request = context.get("request");
    const fault = dependencies.faults.take(request.method, request.path);
    if (!fault) return await next();
    request.fault = fault.kind;
    if (!hasEffect(fault)) return await perform(fault, context, dependencies, undefined);
    await next();
    const real = context.res;
    context.res = undefined;
    context.res = await perform(fault, context, dependencies, real);
  });
}
