import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { unusedPort } from "@cardbridge/api/testing/unused-port";
import { afterEach, beforeEach, expect, it } from "vitest";
import { kycUpdated, newSecret, requestUpdated, signedWebhook } from "../support/signed-webhook.ts";

const program = fileURLToPath(new URL("../../examples/receive-webhooks.mjs", import.meta.url));
const secret = newSecret();
const port = String(await unusedPort());
const url = `http://127.0.0.1:${port}/webhooks`;
let service: Server;
let endpoints: Map<string, { endpointId: string; url: string }>;
let isDown: boolean;
const children: ChildProcess[] = [];

/** Simulates the routes of the service that the program uses. */
beforeEach(async () => {
  isDown = false;
  endpoints = new Map([
    ["whe_left", { endpointId: "whe_left", url }],
    ["whe_other", { endpointId: "whe_other", url: "https://hooks.example.com" }],
  ]);
  service = createServer(async (request, response) => {
    const id = request.url?.split("/").at(-1) ?? "";
    if (isDown) response.writeHead(403);
    else if (request.method === "GET") response.write(JSON.stringify({ endpoints: [...endpoints.values()] }));
    else if (request.method === "DELETE") response.write(JSON.stringify(endpoints.get(id)));
    else {
      const endpoint = { ...((await json(request)) as { url: string }), endpointId: "whe_new" };
      endpoints.set(endpoint.endpointId, endpoint);
      response.write(JSON.stringify({ ...endpoint, secret }));
    }
    if (request.method === "DELETE" && !isDown) endpoints.delete(id);
    response.end();
  });
  service.listen(0, "127.0.0.1");
  await once(service, "listening");
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  service.closeAllConnections();
  service.close();
});

function start(env: Record<string, string> = { CARDBRIDGE_KEY: "cb_test_key", PORT: port }) {
  const address = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const child = spawn(process.execPath, [program, address], {
    env: { PATH: process.env.PATH ?? "", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  let output = "";
  const print = (chunk: Buffer) => {
    output += chunk;
  };
  for (const stream of [child.stdout, child.stderr]) stream.on("data", print);
  const end = once(child, "close").then(([code]) => code);
  return { child, end, output: () => output };
}

async function post(event: object, secrets = [secret]) {
  const { body, headers } = signedWebhook(event, { secrets });
  return (await fetch(url, { method: "POST", body, headers })).status;
}

it("creates an endpoint, verifies and prints its events, and deletes the endpoint at Ctrl-C", async () => {
  const { child, end, output } = start();
  await expect.poll(output).toContain("Stop it with Ctrl-C.");
  expect([...endpoints.keys()]).toEqual(["whe_other", "whe_new"]);
  expect(await post(kycUpdated(2, "APPROVED"))).toBe(204);
  expect(await post(requestUpdated(3, "open"))).toBe(204);
  const rejected = kycUpdated(4, "REJECTED");
  expect(await post({ ...rejected, data: { ...rejected.data, reasons: ["SELFIE_MISMATCH"] } })).toBe(204);
  const card = { cardId: "card_1", externalUserId: "usr_1", status: "locked" };
  expect(await post({ type: "card.updated", timestamp: "2026-11-22T12:00:01.000Z", data: card })).toBe(204);
  expect(await post(kycUpdated(5, "APPROVED"), [newSecret()])).toBe(400);
  child.kill("SIGINT");
  expect(await end).toBe(0);
  expect([...endpoints.keys()]).toEqual(["whe_other"]);
  expect(output().split("\n")).toEqual([
    `${url} receives webhooks as whe_new. Stop it with Ctrl-C.`,
    "12:00:00  kyc.updated          kyc_1 #2  KYC_SUBMITTED  APPROVED",
    "12:00:00  kyc.request_updated  kyc_1 #3  BANK_STATEMENT  open",
    "12:00:00  kyc.updated          kyc_1 #4  KYC_SUBMITTED  REJECTED  SELFIE_MISMATCH",
    "12:00:01  card.updated         card_1  locked",
    "rejected: No signature matches a secret.",
    "whe_new is deleted.",
    "",
  ]);
});

it("prints why it cannot start, and that its endpoint still exists", async () => {
  const without = start({});
  expect(await without.end).toBe(1);
  expect(without.output()).toMatch(/^Set CARDBRIDGE_KEY .*\n$/);
  const { child, end, output } = start();
  await expect.poll(output).toContain("Stop it with Ctrl-C.");
  const second = start();
  expect(await second.end).toBe(1);
  expect(second.output()).toMatch(/^listen EADDRINUSE.* Set PORT to another port\.\n$/);
  isDown = true;
  const refused = start({ CARDBRIDGE_KEY: "cb_test_key", PORT: "0" });
  expect(await refused.end).toBe(1);
  expect(refused.output()).toMatch(/^The endpoint could not be created at http:.*\n$/);
  child.kill("SIGTERM");
  expect(await end).toBe(1);
  expect(output()).toContain("whe_new still exists");
  expect([...endpoints.keys()]).toContain("whe_new");
});
