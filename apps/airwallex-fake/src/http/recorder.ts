import { buffer } from "node:stream/consumers";
import { createMiddleware } from "hono/factory";
import type { RecordedRequest } from "../records/request.ts";
import type { Dependencies, Env } from "./context.ts";

/** Reads the body and records the request before any other middleware runs. */
export function recorder({ requests }: Dependencies) {
  return createMiddleware<Env>(async (context, next) => {
    const { incoming } = context.env;
    const body = await buffer(incoming);
    const request: RecordedRequest = {
      number: requests.length + 1,
      method: context.req.method,
      path: context.req.path,
      query: context.req.query(),
      headers: context.req.header(),
      body: readable(body),
    };
    requests.push(request);
    context.set("body", body);
    context.set("request", request);
    await next();
  });
}

function readable(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  try {
    return JSON.parse(body.toString());
  } catch {
    return { bytes: body.length };
  }
}
