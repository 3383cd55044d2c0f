import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

/** Starts an HTTP server that receives events and responds to each with the next status, then with 200. */
export async function startReceiver(...statuses: number[]) {
  const received: { headers: IncomingHttpHeaders; text: string }[] = [];
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, text: await text(request) });
    response.writeHead(statuses.shift() ?? 200).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`, received };
}
