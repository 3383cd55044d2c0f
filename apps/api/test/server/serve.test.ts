import { afterAll, beforeAll, expect, it } from "vitest";
import { headersOf } from "../../src/server/default-headers.ts";
import { type Served, serve, takeAddress } from "../../src/server/serve.ts";
import { fakeApp, fakePorts } from "../support/fakes.ts";
import { rawRequest } from "../support/raw-http.ts";

let server: Served;
beforeAll(async () => {
  const { app, gates } = fakeApp({ ports: fakePorts().ports });
  const options = { gates, headers: headersOf("live") };
  server = await serve(app.fetch, { host: "127.0.0.1", port: 0 }, options);
});
afterAll(() => server.close(0));

it.each([
  ["a health check", "GET /health/live HTTP/1.1", 200],
  ["a call without a key", "GET /openapi/v1/cards/list HTTP/1.1", 401],
  ["a tRPC call without a key", "GET /trpc/cards.list HTTP/1.1", 401],
  ["an unknown route", "GET /nowhere HTTP/1.1", 404],
  ["the response of a refused head", "GET /health/live HTTP/1.1\r\nhost: b", 400],
  ["the response to a malformed request", "GET", 400],
])("%s names the environment", async (_name, start, status) => {
  const answer = await rawRequest(server.url, `${start}\r\nhost: a\r\nconnection: close\r\n\r\n`);
  expect(answer.status).toBe(status);
  expect(answer.headers).toMatch(/^x-cardbridge-environment: live$/m);
});

it("keeps a port that the system chose, until the service listens on it", async () => {
  const address = await takeAddress({ host: "127.0.0.1", port: 0 });
  await expect(takeAddress({ host: "127.0.0.1", port: address.port })).rejects.toThrow(
    "is in use by another process",
  );
  const served = await serve(() => new Response("served"), address);
  expect(await (await fetch(served.url)).text()).toBe("served");
  await served.close(0);
});
