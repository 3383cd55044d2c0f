import { createHmac } from "node:crypto";
import { appendFileSync } from "node:fs";
import { createServer } from "node:http";

/*
 * A receiver of webhooks. It appends each delivery to FILE before it responds, in the order of arrival. DIE_BEFORE,
 * DIE_AFTER and REFUSE are probabilities: it ends as by kill -9 before or after a response, or responds with 500.
 */
const { PORT, FILE = "", SECRET = "", DIE_BEFORE = "0", DIE_AFTER = "0", REFUSE = "0" } = process.env;
const key = Buffer.from(SECRET.replace(/^whsec_/, ""), "base64");
const happens = (probability) => Math.random() < Number(probability);
const die = () => process.kill(process.pid, "SIGKILL");

async function receive(request, response) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString();
  const {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures = "",
  } = request.headers;
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  const verified = String(signatures).split(" ").includes(`v1,${signature}`);
  appendFileSync(FILE, `${JSON.stringify({ id, verified, body })}\n`);
  if (happens(DIE_BEFORE)) return die();
  response.writeHead(happens(REFUSE) ? 500 : 204).end(happens(DIE_AFTER) ? die : undefined);
}

// A sender that is killed in mid-request has delivered nothing.
const server = createServer(
  (request, response) => void receive(request, response).catch(() => response.destroy()),
);
server.listen(Number(PORT), "127.0.0.1", () => process.stdout.write("listening\n"));
