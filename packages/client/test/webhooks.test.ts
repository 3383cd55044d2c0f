import { expect, it } from "vitest";
import { testClient } from "./support/test-client.ts";
import { json, problem } from "./support/test-fetch.ts";

const endpointId = "whe_01jexample0000000000000000";
const endpoint = { url: "https://hooks.example.com/", eventTypes: ["kyc.updated" as const] };

const busy = problem(503, "SERVICE_UNAVAILABLE");

it("never retries create and rotateSecret", async () => {
  const { client, requests } = testClient([busy]);
  await expect(client.webhooks.create(endpoint)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  await expect(client.webhooks.rotateSecret({ endpointId })).rejects.toThrow();
  expect(requests).toHaveLength(2);
});

it("retries an idempotent call", async () => {
  const { client, requests } = testClient([busy, json({ endpointId })]);
  await client.webhooks.delete({ endpointId });
  expect(requests.map(({ init }) => init.method)).toEqual(["DELETE", "DELETE"]);
});
