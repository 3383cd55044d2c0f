import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { ApiError, tooManyRequests } from "../api-error.ts";
import type { Fault } from "../faults/fault.ts";
import type { Dependencies, RequestContext } from "./context.ts";

const page = "<!doctype html><title>502 Bad Gateway</title><h1>502 Bad Gateway</h1>";

/** Responds to a request with a fault. `real` is the response of a request that took effect before the fault. */
export async function perform(
  fault: Fault,
  context: RequestContext,
  { tokens }: Dependencies,
  real: Response | undefined,
): Promise<Response> {
  const { incoming, outgoing } = context.env;
  switch (fault.kind) {
    case "timeout":
      if (!outgoing.destroyed) await once(outgoing, "close");
      return RESPONSE_ALREADY_SENT;
    case "reset":
      incoming.socket.resetAndDestroy();
      return RESPONSE_ALREADY_SENT;
    case "answer": {
      const body = fault.body ?? { code: "internal_error", message: "Something went wrong.", source: "" };
      return Response.json(body, { status: fault.status, headers: fault.headers });
    }
    case "html":
      return new Response(page, { status: fault.status, headers: { "content-type": "text/html" } });
    case "rate_limit": {
      const seconds = fault.retryAfterSeconds;
      const headers = { ...(seconds !== undefined && { "retry-after": String(seconds) }) };
      return Response.json(tooManyRequests, { status: 429, headers });
    }
    case "expired_token":
      tokens.expireAll();
      throw new ApiError("credentials_expired", "The token has expired.");
    case "merge":
      return Response.json(Object.assign((await real?.json()) ?? {}, fault.fields), {
        status: real?.status ?? 200,
      });
    case "truncated":
    case "slow": {
      const body = Buffer.from((await real?.text()) ?? "");
      outgoing.writeHead(real?.status ?? 200, {
        "content-type": "application/json",
        "content-length": body.length,
      });
      if (fault.kind === "slow") await sendSlowly(outgoing, body, fault.byteMs);
      else outgoing.write(body.subarray(0, body.length / 2), () => incoming.socket.destroy());
      return RESPONSE_ALREADY_SENT;
    }
  }
}

/** Whether the request takes effect before the fault. It then has a real response. */
export function hasEffect(fault: Fault): boolean {
  if ("after" in fault) return fault.after;
  return fault.kind === "merge" || fault.kind === "truncated" || fault.kind === "slow";
}

async function sendSlowly(outgoing: ServerResponse, body: Buffer, byteMs: number): Promise<void> {
  for (const byte of body) {
    if (outgoing.destroyed) return;
    outgoing.write(Buffer.of(byte));
    await delay(byteMs);
  }
  outgoing.end();
}
