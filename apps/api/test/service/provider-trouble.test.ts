import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { restList, restSubmit, trpcList } from "../support/call.ts";
import { newSubmission, startWorld } from "../support/world.ts";

/** The service when the provider or the database is in trouble (G3, G14). */
const deadlines = (ms: number) => ({
  PROVIDER_READ_TIMEOUT_MS: String(ms),
  PROVIDER_KYC_TIMEOUT_MS: String(ms),
});
/** What answers at all does so in time, on a slow machine as well. */
const patient = deadlines(60_000);

async function withProvider(
  answer: RequestListener,
  env: Record<string, string>,
  run: (world: World) => Promise<void>,
): Promise<void> {
  const provider = createServer(answer).listen(0, "127.0.0.1");
  await new Promise((resolve) => provider.once("listening", resolve));
  const providerUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  const world = await startWorld({ providerUrl, env });
  try {
    await run(world);
  } finally {
    await world.stop();
    provider.closeAllConnections();
    await new Promise((resolve) => provider.close(resolve));
  }
}

type World = Awaited<ReturnType<typeof startWorld>>;
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
    await withProvider(answer, env, async (world) => {
      const rest = await restList(world.caller(), alice);
      expect(rest).toMatchObject({ status, body: { code, success: false } });
      expect(await trpcList(world.caller(), alice)).toMatchObject({ status, body: { code } });
      expect(rest.headers.get("retry-after") !== null).toBe(status === 503);

      const body = newSubmission();
      const accepted = { status: 202, body: { code: "KYC_ACCEPTED", status: "PENDING", subStatus: null } };
      const first = await restSubmit(world.caller(), body);
      expect(first).toMatchObject(accepted);
      const again = await restSubmit(world.caller(), body);
      expect(again).toMatchObject(accepted);
      expect(again.body).toEqual(first.body);
    });
  });
});

it("a provider that is down makes the list 503 and a submission 202", async () => {
  const world = await startWorld({ providerUrl: "http://127.0.0.1:1", env: patient });
  expect(await restList(world.caller(), alice)).toMatchObject({
    status: 503,
    body: { code: "PROVIDER_UNAVAILABLE" },
  });
  expect(await restSubmit(world.caller(), newSubmission())).toMatchObject({ status: 202 });
  expect((await fetch(`${world.url}/health/ready`)).status).toBe(200);
  await world.stop();
});

it("a database that is down makes everything 503 with Retry-After, and sends nothing", async () => {
  const world = await startWorld({ databaseUrl: "postgres://nobody:x@127.0.0.1:1/none" });
  const answers = [
    await restList(world.caller(), alice),
    await restSubmit(world.caller(), newSubmission()),
    await trpcList(world.caller(), alice),
  ];
  for (const answer of answers) {
    expect(answer).toMatchObject({ status: 503, body: { code: "SERVICE_UNAVAILABLE" } });
    expect(answer.headers.get("retry-after")).toMatch(/^[1-9]/);
  }
  expect(await world.ledger()).toMatchObject({ attempts: [] });
  expect((await fetch(`${world.url}/health/live`)).status).toBe(200);
  expect((await fetch(`${world.url}/health/ready`)).status).toBe(503);
  await world.stop();
});

it("a caller that goes away does not take its submission with it", async () => {
  const world = await startWorld();
  const body = newSubmission("slow");
  const gone = new AbortController();
  const call = restSubmit(
    {
      ...world.caller(),
      fetch: (path, init) => fetch(`${world.url}${path}`, { ...init, signal: gone.signal }),
    },
    body,
  );
  await expect.poll(async () => (await world.ledger()).executions.length).toBe(1);
  gone.abort();
  await expect(call).rejects.toThrow();
  await expect
    .poll(async () => (await restSubmit(world.caller(), body)).body)
    .toMatchObject({ code: "KYC_SUBMITTED" });
  expect((await world.ledger()).attempts).toHaveLength(1);
  await world.stop();
});
