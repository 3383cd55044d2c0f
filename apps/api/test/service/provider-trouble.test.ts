import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { restList, restSubmit, trpcList } from "../support/call.ts";
import { newSubmission, startTestService } from "../support/test-service.ts";

/** The service during failures of the provider or the database (G3, G14). */
const deadlines = (ms: number) => ({
  PROVIDER_READ_TIMEOUT_MS: String(ms),
  PROVIDER_KYC_TIMEOUT_MS: String(ms),
});
/** A timeout that is long enough on a slow machine. */
const patient = deadlines(60_000);

async function withProvider(
  answer: RequestListener,
  env: Record<string, string>,
  run: (service: World) => Promise<void>,
): Promise<void> {
  const provider = createServer(answer).listen(0, "127.0.0.1");
  await new Promise((resolve) => provider.once("listening", resolve));
  const providerUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  const service = await startTestService({ providerUrl, env });
  try {
    await run(service);
  } finally {
    await service.stop();
    provider.closeAllConnections();
    await new Promise((resolve) => provider.close(resolve));
  }
}

type World = Awaited<ReturnType<typeof startTestService>>;
const alice = { memberId: "alice" };
const json = { "content-type": "application/json" };

describe.each<[string, RequestListener, number, string]>([
  ["never answers", () => {}, 504, "PROVIDER_TIMEOUT"],
  [
    "answers one byte at a time",
    (_, res) => void setInterval(() => res.write(" "), 50).unref(),
    504,
    "PROVIDER_TIMEOUT",
  ],
  ["fails", (_, res) => void res.writeHead(500).end(), 503, "PROVIDER_UNAVAILABLE"],
  ["hangs up", (_, res) => void res.destroy(), 503, "PROVIDER_UNAVAILABLE"],
  [
    "is overrun",
    (_, res) => void res.writeHead(429, { "retry-after": "9" }).end(),
    503,
    "PROVIDER_UNAVAILABLE",
  ],
  ["refuses our signature", (_, res) => void res.writeHead(401).end(), 503, "PROVIDER_UNAVAILABLE"],
  [
    "redirects",
    (_, res) => void res.writeHead(302, { location: "http://127.0.0.1:1/" }).end(),
    502,
    "PROVIDER_ANSWER_INVALID",
  ],
  [
    "answers nonsense",
    (_, res) => void res.writeHead(200, json).end("<html>"),
    502,
    "PROVIDER_ANSWER_INVALID",
  ],
  [
    "answers with other types",
    (_, res) => void res.writeHead(200, json).end('{"items":7}'),
    502,
    "PROVIDER_ANSWER_INVALID",
  ],
])("a provider that %s", (_name, answer, status, code) => {
  it(`makes the list ${status} ${code} and a submission 202, once`, async () => {
    const env = code === "PROVIDER_TIMEOUT" ? deadlines(300) : patient;
    await withProvider(answer, env, async (service) => {
      const rest = await restList(service.caller(), alice);
      expect(rest).toMatchObject({ status, body: { code, success: false } });
      expect(await trpcList(service.caller(), alice)).toMatchObject({ status, body: { code } });
      expect(rest.headers.get("retry-after") !== null).toBe(status === 503);

      const body = newSubmission();
      const accepted = { status: 202, body: { code: "KYC_ACCEPTED", status: "PENDING", subStatus: null } };
      const first = await restSubmit(service.caller(), body);
      expect(first).toMatchObject(accepted);
      const again = await restSubmit(service.caller(), body);
      expect(again).toMatchObject(accepted);
      expect(again.body).toEqual(first.body);
    });
  });
});

it("lists get 503 and submissions 202 if the provider is down", async () => {
  const service = await startTestService({ providerUrl: "http://127.0.0.1:1", env: patient });
  expect(await restList(service.caller(), alice)).toMatchObject({
    status: 503,
    body: { code: "PROVIDER_UNAVAILABLE" },
  });
  expect(await restSubmit(service.caller(), newSubmission())).toMatchObject({ status: 202 });
  expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
  await service.stop();
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
  const service = await startTestService();
  const body = newSubmission("slow");
  const gone = new AbortController();
  const call = restSubmit(
    {
      ...service.caller(),
      fetch: (path, init) => fetch(`${service.url}${path}`, { ...init, signal: gone.signal }),
    },
    body,
  );
  await expect.poll(async () => (await service.ledger()).executions.length).toBe(1);
  gone.abort();
  await expect(call).rejects.toThrow();
  await expect
    .poll(async () => (await restSubmit(service.caller(), body)).body)
    .toMatchObject({ code: "KYC_SUBMITTED" });
  expect((await service.ledger()).attempts).toHaveLength(1);
  await service.stop();
});
