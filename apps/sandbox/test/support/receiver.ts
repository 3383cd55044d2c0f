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

/** The status of an answer to the delivery of this number, from 1; undefined never answers. */
type Answer = (count: number) => number | undefined | Promise<number>;

/** A server that takes events, or does not. */
export async function receive(answer: Answer = () => 204, port = 0) {
  const deliveries: Delivery[] = [];
  const server = createServer(async (request, response) => {
    const received = await text(request);
    deliveries.push({ headers: request.headers, text: received, body: JSON.parse(received) });
    const status = await answer(deliveries.length);
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
    /** For `startSandbox`. */
    events: { url: `http://127.0.0.1:${bound}/events?from=sandbox`, secret },
    port: bound,
    deliveries,
    /** What was told, in order. */
    told: () => deliveries.map(({ body }) => `${body.data.status} ${body.data.revision}`),
    ids: () => deliveries.map(({ headers }) => headers["webhook-id"]),
    close,
  };
}
