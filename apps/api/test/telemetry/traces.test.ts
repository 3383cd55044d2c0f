import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { restList, restSubmit, trpcList } from "../support/call.ts";
import { attributeOf, type ReceivedSpan, startOtlpReceiver } from "../support/otlp-receiver.ts";
import { newSubmission, startTestService } from "../support/test-service.ts";
import { trpcClient } from "../support/trpc.ts";
import { until } from "../support/until.ts";

/** One trace goes through the service, its database, the provider and the worker, with real components. */
let receiver: Awaited<ReturnType<typeof startOtlpReceiver>>;
let service: Awaited<ReturnType<typeof startTestService>>;
let proxy: Awaited<ReturnType<typeof startProxy>>;
let spans: ReceivedSpan[];

const sampled = "4bf92f3577b34da6a3ce929d0e0e4736";
const unsampled = "0af7651916cd43dd8448eb211c80319c";
const callersSpan = "00f067aa0ba902b7";
const body = newSubmission("error-500");
const memberId = "member-of-nobody";

beforeAll(async () => {
  receiver = await startOtlpReceiver();
  proxy = await startProxy();
  service = await startTestService({
    events: false,
    providerUrl: proxy.url,
    overrides: { resolveIntervalMs: 20 },
    env: {
      RUN: "all",
      OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/`,
      OTEL_EXPORTER_OTLP_HEADERS: "x-team=cards%20and%20users",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
    },
  });
  proxy.forwardTo(service.env.PROVIDER_URL);
  const { key, fetch: send } = service.caller();
  const { webhooks } = trpcClient({ url: service.url, apiKey: key });
  const { endpointId } = await webhooks.create.mutate({
    url: "http://127.0.0.1:1/",
    eventTypes: ["kyc.updated"],
  });
  const within = (traceparent: string) => ({
    key,
    fetch: (path: string, init: RequestInit = {}) =>
      send(path, { ...init, headers: { ...init.headers, traceparent } }),
  });
  const first = await restSubmit(within(`00-${sampled}-${callersSpan}-01`), body);
  expect(first.status).toBe(202);
  await restSubmit(within(`00-${unsampled}-${callersSpan}-00`), newSubmission());
  await restList({ key, fetch: send }, { memberId });
  await trpcList({ key, fetch: send }, { memberId });
  await send("/health/live");
  const admin = new Client({ connectionString: service.adminUrl });
  await admin.connect();
  await until(async () => {
    await admin.query("update kyc_records set due_at = now() where lease_until is null and due_at > now()");
    return (await restSubmit(service.caller(), body)).status === 200;
  });
  await admin.end();
  const deliveries = async () => (await webhooks.deliveries.query({ endpointId })).items;
  await until(async () => (await deliveries()).some(({ attempts }) => attempts > 0));
  await service.stop();
  spans = receiver.spans();
});
afterAll(() => Promise.all([proxy.close(), receiver.close()]));

const named = (name: string, traceId = sampled) =>
  spans.filter((span) => span.name === name && span.traceId === traceId);
const only = (name: string): ReceivedSpan => {
  const [span] = named(name);
  if (!span) throw new Error(`There is no span ${name} of the trace: ${spans.map((one) => one.name)}`);
  return span;
};
const childrenOf = ({ spanId }: ReceivedSpan) =>
  spans.filter(({ parentSpanId }) => parentSpanId === spanId).map(({ name }) => name);

it("a request continues the caller's trace; its statements and provider call are within it", () => {
  const server = only("POST /openapi/v1/users/kyc");
  expect(server).toMatchObject({ parentSpanId: callersSpan, kind: 2 });
  expect(attributeOf(server, "http.route")).toBe("/openapi/v1/users/kyc");
  expect(attributeOf(server, "http.response.status_code")).toBe(202);
  expect(attributeOf(server, "cardbridge.request_id")).toMatch(/^req_/);
  expect(attributeOf(server, "cardbridge.outcome")).toBeUndefined();
  const within = childrenOf(server);
  expect(within).toContain("kyc_create_for_new_user");
  expect(within).toContain("commit");
  const call = only("provider.submitKyc");
  expect(call).toMatchObject({ parentSpanId: server.spanId, kind: 3, status: { code: 2 } });
  expect(attributeOf(call, "cardbridge.outcome")).toBe("unknown");
  expect(attributeOf(call, "error.type")).toBe("status-500");
});

it("the worker's attempt and the delivery of the webhook continue the trace", () => {
  const submission = only("POST /openapi/v1/users/kyc");
  const [attempt, ...more] = named("kyc.attempt");
  if (!attempt) throw new Error("The worker's attempt is not in the trace.");
  for (const { parentSpanId } of [attempt, ...more]) expect(parentSpanId).toBe(submission.spanId);
  expect(childrenOf(attempt)).toContain("provider.findKyc");
  const resolved = [attempt, ...more].find((one) => childrenOf(one).includes("kyc_update_if_unchanged"));
  expect(resolved).toBeDefined();
  expect(named("webhooks.attempt").map(({ parentSpanId }) => parentSpanId)).toContain(submission.spanId);
});

it("the provider receives the span of its call", () => {
  const calls = [...named("provider.submitKyc"), ...named("provider.findKyc")];
  expect(calls.length).toBeGreaterThan(1);
  for (const { spanId } of calls) expect(proxy.received).toContain(`00-${sampled}-${spanId}-01`);
});

it("an unsampled trace is passed on, and not recorded", () => {
  expect(proxy.received.filter((header) => header.startsWith(`00-${unsampled}-`))).toEqual([
    expect.stringMatching(/-00$/),
  ]);
  expect(spans.filter(({ traceId }) => traceId === unsampled)).toEqual([]);
});

it("a request without a trace begins one, by its route and without its query", () => {
  const [list] = spans.filter(({ name }) => name === "GET /openapi/v1/cards/list");
  expect(list?.parentSpanId).toBeUndefined();
  expect(list?.traceId).not.toBe(sampled);
  expect(receiver.text()).not.toContain(memberId);
  expect(receiver.text()).not.toContain("health");
  expect(spans.filter(({ name }) => name.includes("lease") || name === "kyc.resolveDue")).toEqual([]);
});

it("a request that fails has the code of its failure, and a tRPC request names its procedures", () => {
  const answers = ["GET /openapi/v1/cards/list", "GET /trpc/*"].map((name) => {
    const span = spans.find((each) => each.name === name);
    return span && [attributeOf(span, "cardbridge.outcome"), attributeOf(span, "cardbridge.procedures")];
  });
  expect(answers).toEqual([
    ["USER_NOT_FOUND", undefined],
    ["USER_NOT_FOUND", "cards.list"],
  ]);
});

it("the receiver gets the configured headers and the description of the service", () => {
  expect(receiver.text()).toContain("POST /v1/traces");
  expect(receiver.text()).toContain('"x-team":"cards and users"');
  expect(receiver.text()).toContain('{"key":"service.name","value":{"stringValue":"cardbridge"}}');
  expect(receiver.text()).toContain("deployment.environment.name");
});

/** Forwards calls to the provider, and records the traceparent of each. */
async function startProxy() {
  const received: string[] = [];
  let target = "";
  const server = createServer((incoming, outgoing) => {
    const { method, url, headers } = incoming;
    if (headers.traceparent) received.push(String(headers.traceparent));
    const forwarded = request(`${target}${url}`, { method, headers } as object, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    forwardTo: (url: string) => {
      target = url;
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
