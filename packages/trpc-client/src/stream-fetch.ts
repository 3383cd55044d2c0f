import type { EventSourceInit } from "eventsource";
import { explainFetch } from "./explain-fetch.ts";

type StreamFetch = NonNullable<EventSourceInit["fetch"]>;

/**
 * Fetches a stream of events with the headers of each connection. An EventSource hides the body of an error, so an error of cardbridge
 * becomes the event with which tRPC reports errors. Any other error response below 500 ends the subscription. After all
 * other failures, it reconnects.
 */
export function streamFetch(headersOf: () => Promise<Record<string, string>>): StreamFetch {
  return async (url, init) => {
    const headers = { ...init.headers, ...(await headersOf()) };
    const response = await explainFetch(url, { ...init, headers });
    if (response.ok) return response;
    const body: unknown = await response.json().catch((error: unknown) => {
      if (response.status >= 500) throw error;
    });
    if (typeof body !== "object" || body === null || !("error" in body)) return response;
    const event = `event: serialized-error\ndata: ${JSON.stringify(body.error)}\n\n`;
    return new Response(event, { headers: { "content-type": "text/event-stream" } });
  };
}
