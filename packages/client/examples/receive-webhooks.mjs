import { once } from "node:events";
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { createClient, verifyWebhook, WebhookVerificationError } from "@cardbridge/client";

/* Creates an endpoint on this machine, prints its events, and deletes it at Ctrl-C. For development only. */
const [baseUrl = "http://127.0.0.1:3000"] = process.argv.slice(2);
const { CARDBRIDGE_KEY: apiKey, PORT: port = "3100" } = process.env;
if (!apiKey) fail("Set CARDBRIDGE_KEY to an API key with the scopes webhooks:read and webhooks:write.");
const { webhooks } = createClient({ baseUrl, apiKey, timeoutMs: 10_000 });

const server = createServer((request, response) => {
  receive(request)
    .then((status) => response.writeHead(status).end())
    .catch((error) => {
      console.error(error);
      response.writeHead(500).end();
    });
}).listen(Number(port), "127.0.0.1");
await once(server, "listening").catch(({ message }) => fail(`${message}. Set PORT to another port.`));
const url = `http://127.0.0.1:${server.address().port}/webhooks`;
const created = createEndpoint();
const { endpointId } = await created.catch(({ message }) =>
  fail(`The endpoint could not be created at ${baseUrl}: ${message}`),
);
console.log(`${url} receives webhooks as ${endpointId}. Stop it with Ctrl-C.`);

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, stop);

/** Deletes the endpoint of an earlier run that was killed, then creates a new endpoint. */
async function createEndpoint() {
  const { endpoints } = await webhooks.list();
  for (const endpoint of endpoints) if (endpoint.url === url) await webhooks.delete(endpoint);
  const ofRecords = ["kyc.updated", "kyc.request_updated", "kyc.document_expiring", "kyc.document_expired"];
  const eventTypes = [...ofRecords, "card.updated"];
  return webhooks.create({ url, eventTypes, description: "receive-webhooks" });
}

/** Verifies and prints one webhook. Returns the HTTP status of the response. */
async function receive(request) {
  const body = await buffer(request);
  const { secret } = await created;
  try {
    print(await verifyWebhook(body, request.headers, secret));
    return 204;
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    console.log(`rejected: ${error.message}`);
    return 400;
  }
}

function print({ timestamp, type, data }) {
  const time = timestamp.slice(11, 19);
  const { kycRecordId, sequence, cardId, code, documentType, status, reasons = [] } = data;
  const what = kycRecordId ? [`${kycRecordId} #${sequence}`, code, documentType, status] : [cardId, status];
  console.log([time, type.padEnd(19), ...what, ...reasons].filter(Boolean).join("  "));
}

async function stop() {
  server.close();
  server.closeAllConnections();
  await webhooks
    .delete({ endpointId })
    .catch(({ message }) => fail(`${endpointId} still exists; the next run deletes it: ${message}`));
  console.log(`${endpointId} is deleted.`);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
