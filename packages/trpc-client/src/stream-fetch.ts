import type { EventSourceInit } from "eventsource";
import { explainFetch } from "./explain-fetch.ts";

type StreamFetch = NonNullable<EventSourceInit["fetch"]>;

/**
 * Fetches a stream of events with these headers. An EventSource would hide an error's body, so an error of cardbridge
 * becomes the event by which tRPC tells of errors. Other answers below 500 end the subscription; it reconnects after all
 * else.
 */
export function streamFetch(headers: Record<string, string>): StreamFetch {
  return async (url, init) => {
    const response = await explainFetch(url, { ...init, headers: { ...init.headers, ...headers } });
    if (response.ok) return response;
    const body: unknown = await response.json().catch((error: unknown) => {
      if (response.status >= 500) throw error;
    });
    if (typeof body !== "object" || body === null || !("error" in body)) return response;
    const event = `event: serialized-error\ndata: ${JSON.stringify(body.error)}\n\n`;
    return new Response(event, { headers: { "content-type": "text/event-stream" } });
  };
}
