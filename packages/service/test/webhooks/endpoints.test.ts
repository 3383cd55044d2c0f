import { defaultPolicies, type NewWebhookEndpoint } from "@cardbridge/domain";
import { describe, expect, it } from "vitest";
import { createWebhookEndpoint } from "../../src/webhooks/create.ts";
import { exampleEndpoint } from "../../src/webhooks/example.ts";
import { updateWebhookEndpoint } from "../../src/webhooks/update.ts";
import { callOf, rulesOf } from "../support/calls.ts";
import { fakePorts } from "../support/fake-ports.ts";

const call = callOf("platform", { platformId: "plt_1", scopes: ["webhooks:write"] });
const { endpointId } = exampleEndpoint;
const eventTypes = ["kyc.updated", "kyc.updated"] as const;

/** Creates an endpoint. Returns the endpoint that is stored for it. */
async function create(url: string, webhookUrls: "https" | "https-or-loopback" = "https") {
  const { ports } = fakePorts();
  const stored: NewWebhookEndpoint[] = [];
  ports.webhookEndpoints.create = async (_platformId, endpoint) => {
    stored.push(endpoint);
    return exampleEndpoint;
  };
  await createWebhookEndpoint({ ...defaultPolicies, webhookUrls }).execute(ports, call, { url, eventTypes });
  return stored[0];
}

describe("a new endpoint", () => {
  it("has each of its types once", async () => {
    expect(await create("https://hooks.example.com/a?b=c")).toMatchObject({
      url: "https://hooks.example.com/a?b=c",
      eventTypes: ["kyc.updated"],
      description: null,
    });
  });

  it.each([
    "http://hooks.example.com/",
    "http://127.0.0.1:3000/",
    "http://localhost/",
    "ftp://hooks.example.com/",
    "https://user:secret@hooks.example.com/",
    "https://hooks.example.com/#part",
    "https://hooks.example.com:99999/",
    `https://hooks.example.com/${"a".repeat(2_048)}`,
    "https://",
    "hooks.example.com",
    "https://hooks.example.com/a b",
    "",
  ])("cannot have the URL %j in production", async (url) => {
    expect(await rulesOf(create(url))).toEqual([expect.stringMatching(/^webhook-url/)]);
  });

  it.each([
    { url: "http://127.0.0.1:3000/hook", rules: [] },
    { url: "http://localhost:80", rules: [] },
    { url: "http://[::1]:3000/?a=b", rules: [] },
    { url: "https://a.test/", rules: [] },
    { url: "http://hooks.example.com/", rules: ["webhook-url-scheme"] },
    { url: "http://127.0.0.1.example.com/", rules: ["webhook-url-scheme"] },
    { url: "http://localhost.example.com/", rules: ["webhook-url-scheme"] },
  ])("with the URL $url violates $rules in development", async ({ url, rules }) => {
    expect(await rulesOf(create(url, "https-or-loopback"))).toEqual(rules);
  });
});

it("a change needs a known field; null removes the description, and omitted fields stay unchanged", async () => {
  const { ports } = fakePorts();
  const changes: unknown[] = [];
  ports.webhookEndpoints.update = async (...given) => {
    changes.push(given);
    return exampleEndpoint;
  };
  const update = (input: object) =>
    rulesOf(updateWebhookEndpoint(defaultPolicies).execute(ports, call, { endpointId, ...input }));
  expect(await update({ enable: false })).toEqual(["some-webhook-change"]);
  expect(await update({ description: null })).toEqual([]);
  expect(changes).toEqual([["plt_1", endpointId, { description: null }]]);
});
