import { createHmac, randomBytes } from "node:crypto";
import { Agent, request } from "undici";

/* A bare POST that signs: AMOUNT of them to URL, 40 at a time. Prints microseconds of CPU and the seconds. */
const { URL: url, AMOUNT: amount } = process.env;
const key = randomBytes(32);
const dispatcher = new Agent({ pipelining: 1, allowH2: false });
const body = JSON.stringify({
  type: "webhook.test",
  timestamp: new Date().toISOString(),
  data: { endpointId: "whe_01jexample0000000000000000" },
});

async function send(id) {
  const timestamp = Math.floor(Date.now() / 1_000);
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  const headers = {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": `v1,${signature}`,
  };
  const answer = await request(url, { dispatcher, method: "POST", headers, body });
  await answer.body.dump();
}

async function sendAll(count, name) {
  let sent = 0;
  const one = async () => {
    while (sent < count) await send(`${name}_${sent++}`);
  };
  await Promise.all(Array.from({ length: 40 }, one));
}

await sendAll(1_000, "warm");
const before = process.cpuUsage();
const startedAt = performance.now();
await sendAll(Number(amount), "bare");
const { user, system } = process.cpuUsage(before);
process.stdout.write(
  JSON.stringify({ micros: user + system, seconds: (performance.now() - startedAt) / 1_000 }),
);
await dispatcher.close();
