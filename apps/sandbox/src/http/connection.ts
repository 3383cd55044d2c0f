import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { RequestContext } from "./context.ts";

/** Ends a request without a response, when its connection closes. */
export async function neverRespond({ env }: RequestContext): Promise<Response> {
  await untilClosed(env.outgoing);
  return RESPONSE_ALREADY_SENT;
}

/** Waits until the connection closes, because the client disconnects or the sandbox closes. */
async function untilClosed(outgoing: ServerResponse): Promise<void> {
  if (!outgoing.destroyed) await once(outgoing, "close");
}

/** Calls back once, after the response is sent completely or its connection closes. */
export function whenClosed(outgoing: ServerResponse, callback: () => void): void {
  if (outgoing.destroyed) callback();
  else outgoing.once("close", callback);
}

/** Waits for a time in milliseconds, or until the connection closes. */
export async function waitWhileOpen(outgoing: ServerResponse, ms: number): Promise<void> {
  if (outgoing.destroyed) return;
  const closed = new AbortController();
  const abort = () => closed.abort();
  outgoing.once("close", abort);
  await delay(ms, undefined, { signal: closed.signal }).catch(() => {});
  outgoing.off("close", abort);
}
