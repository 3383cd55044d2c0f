import { once } from "node:events";
import { createServer } from "node:http";
import { createServer as createTcpServer } from "node:net";

/** Starts a receiver that responds immediately and records the first arrival of each event. */
export async function startReceiver() {
  const came = new Map();
  const server = createServer((request, response) => {
    const id = request.headers["webhook-id"];
    if (!came.has(id)) came.set(id, performance.now());
    request.resume().on("end", () => response.writeHead(204).end());
  });
  return { came, ...(await listen(server)) };
}

/** Starts a receiver that accepts connections and never responds. */
export const startDeadReceiver = () => listen(createTcpServer((socket) => socket.on("error", () => {})));

async function listen(server) {
  const sockets = new Set();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    [Symbol.dispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Creates endpoints, ten per platform, on as many platforms as needed. */
export async function createEndpoints({ world, api, key, name, url, count }) {
  const endpoints = [];
  for (let made = 0; made < count; made += 1) {
    const platformId = `plt_${name}${Math.floor(made / 10)}`;
    if (made % 10 === 0)
      await world.database.query("insert into platforms (id, name) values ($1, $1)", [platformId]);
    const response = await fetch(`${api.url}/openapi/v1/webhooks`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        "x-cardbridge-platform": platformId,
      },
      body: JSON.stringify({ url, eventTypes: ["kyc.updated"] }),
    });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    endpoints.push({ platformId, endpointId: (await response.json()).endpointId });
  }
  return endpoints;
}

/** Writes events for endpoints with the service's own function, in one transaction. Returns the time afterwards. */
export async function writeEvents({ query }, events) {
  await query(
    `select set_config('cardbridge.platform', e.platform, false),
       write_webhook_event(e.id, 'webhook.test', null, null, null, jsonb_build_object('endpointId', e.endpoint), e.endpoint)
     from jsonb_to_recordset($1::jsonb) as e (id text, platform text, endpoint text)`,
    [JSON.stringify(events)],
  );
  return performance.now();
}
