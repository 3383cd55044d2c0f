import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { json as readJson } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { restList, restSubmit, trpcList, trpcSubmit, withoutRequestId } from "../support/call.ts";
import { newSubmission, startTestService } from "../support/test-service.ts";

/** The service during failures of the provider or the database (G3, G14). */
const deadlines = (ms: number) => ({
  PROVIDER_READ_TIMEOUT_MS: String(ms),
  PROVIDER_KYC_TIMEOUT_MS: String(ms),
});
/** A timeout that is long enough on a slow machine. */
const patient = deadlines(60_000);

/** A provider with a service for each deadline. Each test sets the provider's response. */
let answer: RequestListener;
let received: string[];
const provider = createServer((request, response) => {
  received.push(request.method ?? "");
  answer(request, response);
});
let services: { patient: World; impatient: World };
beforeAll(async () => {
  await once(provider.listen(0, "127.0.0.1"), "listening");
  const providerUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  const start = (env: Record<string, string>) => startTestService({ providerUrl, env });
  services = { patient: await start(patient), impatient: await start(deadlines(300)) };
});
afterAll(async () => {
  await Promise.all(Object.values(services).map((service) => service.stop()));
  provider.closeAllConnections();
  provider.close();
});

type World = Awaited<ReturnType<typeof startTestService>>;
const alice = { memberId: "alice" };
const json = { "content-type": "application/json" };

describe.each<[string, RequestListener, number, string]>([
  ["never responds", () => {}, 504, "PROVIDER_TIMEOUT"],
  [
    "limits the rate",
    (_, res) => void res.writeHead(429, { "retry-after": "9" }).end(),
    503,
    "PROVIDER_UNAVAILABLE",
  ],
  [
    "responds with invalid JSON",
    (_, res) => void res.writeHead(200, json).end("<html>"),
    502,
    "PROVIDER_ANSWER_INVALID",
  ],
])("a provider that %s", (_name, answerOfProvider, status, code) => {
  it(`results in ${status} ${code} for a list, and in 202 for a submission that is sent once`, async () => {
    const service = code === "PROVIDER_TIMEOUT" ? services.impatient : services.patient;
    answer = answerOfProvider;
    received = [];
    const rest = await restList(service.caller(), alice);
    expect(rest).toMatchObject({ status, body: { code, success: false } });
    expect(await trpcList(service.caller(), alice)).toMatchObject({ status, body: { code } });
    expect(rest.headers.get("retry-after") !== null).toBe(status === 503);

    const body = newSubmission();
    const first = await restSubmit(service.caller(), body);
    expect(first).toMatchObject({
      status: 202,
      body: { code: "KYC_ACCEPTED", status: "PENDING", subStatus: null, cardAccountId: null },
    });
    const again = await restSubmit(service.caller(), body);
    expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([202, "true"]);
    const overTrpc = await trpcSubmit(service.caller(), body);
    for (const repeated of [again, overTrpc])
      expect(withoutRequestId(repeated.body)).toEqual(withoutRequestId(first.body));
    expect(received.filter((method) => method === "PUT").length).toBeLessThanOrEqual(1);
  });
});

it("all calls get 503 with Retry-After if the database is down, and nothing is sent", async () => {
  const service = await startTestService({ databaseUrl: "postgres://nobody:x@127.0.0.1:1/none" });
  const answers = [
    await restList(service.caller(), alice),
    await restSubmit(service.caller(), newSubmission()),
    await trpcList(service.caller(), alice),
  ];
  for (const answer of answers) {
    expect(answer).toMatchObject({ status: 503, body: { code: "SERVICE_UNAVAILABLE" } });
    expect(answer.headers.get("retry-after")).toMatch(/^[1-9]/);
  }
  expect(await service.ledger()).toMatchObject({ attempts: [] });
  expect((await fetch(`${service.url}/health/live`)).status).toBe(200);
  expect((await fetch(`${service.url}/health/ready`)).status).toBe(503);
  await service.stop();
});

it("a submission continues after its caller disconnects", async () => {
  const service = services.patient;
  const body = newSubmission();
  const client = new AbortController();
  const arrived = Promise.withResolvers<() => void>();
  received = [];
  answer = async (request, response) => {
    const { userReference } = (await readJson(request)) as { userReference: string };
    const reference = request.url?.slice("/v1/kyc/".length);
    const verdict = {
      status: "approved",
      cardAccountId: "acct_1",
      revision: 1,
      updatedAt: "2026-01-31T12:00:00Z",
    };
    arrived.resolve(() =>
      response.writeHead(200, json).end(JSON.stringify({ reference, userReference, ...verdict })),
    );
  };
  const call = restSubmit(
    {
      ...service.caller(),
      fetch: (path, init) => fetch(`${service.url}${path}`, { ...init, signal: client.signal }),
    },
    body,
  );
  const decide = await arrived.promise;
  client.abort();
  await expect(call).rejects.toThrow();
  // This request arrives after the other socket has ended.
  expect((await fetch(`${service.url}/health/live`)).status).toBe(200);
  decide();
  await expect
    .poll(async () => (await restSubmit(service.caller(), body)).body)
    .toMatchObject({ code: "KYC_SUBMITTED" });
  expect(received).toEqual(["PUT"]);
});
