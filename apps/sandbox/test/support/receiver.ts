import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import type { SandboxOptions } from "../../src/index.ts";
import { runSandbox } from "./sandbox.ts";

export const secret = `whsec_${Buffer.from("the shared secret of these tests").toString("base64")}`;

interface Delivery {
  headers: IncomingHttpHeaders;
  text: string;
  body: { type: string; data: Record<string, unknown> };
}

/** The status for the delivery with this number, from 1. Undefined never responds. */
type StatusOf = (count: number) => number | undefined | Promise<number>;

/** Starts an HTTP server that receives events. */
export async function startReceiver(statusOf: StatusOf = () => 204) {
  const deliveries: Delivery[] = [];
  const server = createServer(async (request, response) => {
    const received = await text(request);
    deliveries.push({ headers: request.headers, text: received, body: JSON.parse(received) });
    const status = await statusOf(deliveries.length);
    if (status !== undefined) response.writeHead(status, { location: "/elsewhere" }).end("Thank you.");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });

  return {
    /** The `events` option of `startSandbox`. */
    events: { url: `http://127.0.0.1:${port}/events?from=sandbox`, secret },
    deliveries,
    /** The status and the revision of each delivery, in order. */
    statuses: () => deliveries.map(({ body }) => `${body.data.status} ${body.data.revision}`),
    ids: () => deliveries.map(({ headers }) => headers["webhook-id"]),
  };
}

/** Starts a receiver, and a sandbox that sends its events to it. */
export async function runWithReceiver(statusOf?: StatusOf, options: Partial<SandboxOptions> = {}) {
  const receiver = await startReceiver(statusOf);
  return { receiver, sandbox: await runSandbox({ events: receiver.events, ...options }) };
}
