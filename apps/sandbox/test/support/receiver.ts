import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

export const secret = `whsec_${Buffer.from("the shared secret of these tests").toString("base64")}`;

interface Delivery {
  headers: IncomingHttpHeaders;
  text: string;
  body: { type: string; data: Record<string, unknown> };
}

/** The status for the delivery with this number, from 1. Undefined never responds. */
type StatusOf = (count: number) => number | undefined | Promise<number>;

/** The `events` option of `startSandbox`, for a receiver at this port. */
export const eventsAt = (port: number) => ({ url: `http://127.0.0.1:${port}/events?from=sandbox`, secret });

/** Starts an HTTP server that receives events. */
export async function startReceiver(statusOf: StatusOf = () => 204, port = 0) {
  const deliveries: Delivery[] = [];
  const server = createServer(async (request, response) => {
    const received = await text(request);
    deliveries.push({ headers: request.headers, text: received, body: JSON.parse(received) });
    const status = await statusOf(deliveries.length);
    if (status !== undefined) response.writeHead(status, { location: "/elsewhere" }).end("Thank you.");
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const bound = (server.address() as AddressInfo).port;

  async function close() {
    server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  }
  onTestFinished(close);

  return {
    /** The `events` option of `startSandbox`. */
    events: eventsAt(bound),
    deliveries,
    /** The status and the revision of each delivery, in order. */
    statuses: () => deliveries.map(({ body }) => `${body.data.status} ${body.data.revision}`),
    ids: () => deliveries.map(({ headers }) => headers["webhook-id"]),
    close,
  };
}
