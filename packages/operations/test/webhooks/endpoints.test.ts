import { defaultPolicies, type NewWebhookEndpoint, type WebhookEndpoint } from "@cardbridge/domain";
import { describe, expect, it } from "vitest";
import { createWebhookEndpoint } from "../../src/webhooks/create.ts";
import { exampleEndpoint } from "../../src/webhooks/example.ts";
import { updateWebhookEndpoint } from "../../src/webhooks/update.ts";
import { callOf } from "../support/calls.ts";
import { fakePorts } from "../support/fake-ports.ts";

const call = callOf("platform", { platformId: "plt_1", scopes: ["webhooks:write"] });
const { endpointId } = exampleEndpoint;

/** Ports that create endpoints, and the stored endpoints. */
function world() {
  const created: [string, NewWebhookEndpoint][] = [];
  const { ports, audited } = fakePorts();
  ports.generateWebhookSecret = () => "whsec_secret";
  ports.ids.webhookEndpointId = () => endpointId;
  ports.webhookEndpoints.create = async (platformId, endpoint) => {
    created.push([platformId, endpoint]);
    const { secret: _, ...facts } = endpoint;
    return { ...exampleEndpoint, ...facts, eventTypes: [...facts.eventTypes] } satisfies WebhookEndpoint;
  };
  return { ports, audited, created };
}

const input = { url: "https://hooks.example.com/a?b=c", eventTypes: ["kyc.updated"] as const };
const createWith = (webhookUrls: "https" | "https-or-loopback", url: string) =>
  createWebhookEndpoint({ ...defaultPolicies, webhookUrls }).execute(world().ports, call, { ...input, url });

describe("a new endpoint", () => {
  it("belongs to the caller's platform and returns its secret", async () => {
    const { ports, created, audited } = world();
    const twice = { ...input, eventTypes: ["kyc.updated", "kyc.updated"] };
    const { data } = await createWebhookEndpoint(defaultPolicies).execute(ports, call, twice);
    expect(data).toMatchObject({ url: input.url, secret: "whsec_secret", endpointId });
    const stored = { ...input, description: null, endpointId, secret: "whsec_secret" };
    expect(created).toEqual([["plt_1", stored]]);
    expect(audited).toMatchObject([{ platformId: "plt_1", subject: endpointId, outcome: "done" }]);
    expect(JSON.stringify(audited)).not.toMatch(/whsec|hooks\.example/);
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
    const violations = [{ path: ["url"], rule: expect.stringMatching(/^webhook-url/) }];
    await expect(createWith("https", url)).rejects.toMatchObject({
      code: "INVALID_INPUT",
      details: { violations },
    });
  });

  it.each(["http://127.0.0.1:3000/hook", "http://localhost:80", "http://[::1]:3000/?a=b", "https://a.test/"])(
    "may have the URL %j in development",
    async (url) => {
      await expect(createWith("https-or-loopback", url)).resolves.toBeDefined();
    },
  );

  it.each(["http://hooks.example.com/", "http://127.0.0.1.example.com/", "http://localhost.example.com/"])(
    "cannot have the URL %j in development",
    async (url) => {
      await expect(createWith("https-or-loopback", url)).rejects.toMatchObject({ code: "INVALID_INPUT" });
    },
  );
});

it("a change without a known field is rejected", async () => {
  const change = updateWebhookEndpoint(defaultPolicies);
  await expect(change.execute(world().ports, call, { endpointId, enable: false })).rejects.toMatchObject({
    code: "INVALID_INPUT",
    details: { violations: [{ rule: "some-webhook-change" }] },
  });
});

it("a change with null removes the description, and omitted fields stay unchanged", async () => {
  const { ports } = world();
  const changes: unknown[] = [];
  ports.webhookEndpoints.update = async (...given) => {
    changes.push(given);
    return exampleEndpoint;
  };
  await updateWebhookEndpoint(defaultPolicies).execute(ports, call, { endpointId, description: null });
  expect(changes).toEqual([["plt_1", endpointId, { description: null }]]);
});
