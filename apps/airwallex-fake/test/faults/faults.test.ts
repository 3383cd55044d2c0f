import { expect, test } from "vitest";
import { cardholder, runFake, until } from "../support/fake.ts";

const create = "issuing/cardholders/create";

async function effects(fake: Awaited<ReturnType<typeof runFake>>): Promise<number> {
  return (await fake.admin("GET", "/effects")).body.cardholders.length;
}

test.each([
  ["timeout", false, 0],
  ["timeout", true, 1],
  ["reset", false, 0],
  ["reset", true, 1],
])("the fault %s leaves the client without a response, after the effect: %s", async (kind, after, count) => {
  const fake = await runFake();
  await fake.admin("POST", "/faults", { kind, after });
  const client = new AbortController();
  const answer = fake.post(create, cardholder(), {}, client.signal).catch(() => "no response");
  const met = async () => (await fake.admin("GET", "/requests")).body.requests.at(-1).fault === kind;
  await until(met);
  await until(async () => (await effects(fake)) === count);
  if (kind === "timeout") client.abort();
  expect(await answer).toBe("no response");
  expect(await effects(fake)).toBe(count);
  expect((await fake.get("issuing/cards")).status).toBe(200);
});

test.each([
  [{ kind: "answer", status: 503 }, 503, 0],
  [{ kind: "answer", status: 500, after: true }, 500, 1],
  [{ kind: "answer", status: 200, body: [1], after: true }, 200, 1],
  [{ kind: "html", status: 502 }, 502, 0],
  [{ kind: "rate_limit", retryAfterSeconds: 7 }, 429, 0],
  [{ kind: "expired_token" }, 401, 0],
  [{ kind: "merge", fields: { status: "FROZEN" } }, 202, 1],
])("returns the response of the fault %o", async (fault, status, count) => {
  const fake = await runFake();
  await fake.admin("POST", "/faults", fault);
  const answer = await fake.post(create, cardholder());
  expect(answer.status).toBe(status);
  expect(await effects(fake)).toBe(count);
  if (fault.kind === "html") expect(answer.body).toContain("<h1>");
  if (fault.kind === "rate_limit") expect(answer.headers.get("retry-after")).toBe("7");
  if (fault.kind === "merge") expect(answer.body).toMatchObject({ type: "INDIVIDUAL", status: "FROZEN" });
  if ("body" in fault) expect(answer.body).toEqual(fault.body);
  const next = fault.kind === "expired_token" ? 401 : 200;
  expect((await fake.get("issuing/cards")).status).toBe(next);
  await fake.renew();
  expect((await fake.get("issuing/cards")).status).toBe(200);
});

test("a truncated response ends early, and a slow response arrives", async () => {
  const fake = await runFake();
  await fake.admin("POST", "/faults", { kind: "truncated" });
  await expect(fake.post(create, cardholder())).rejects.toThrow();
  expect(await effects(fake)).toBe(1);
  await fake.admin("POST", "/faults", { kind: "slow", byteMs: 1 });
  expect((await fake.get("issuing/cards")).body).toEqual({ has_more: false, items: [] });
});

test("a fault applies to its method and path, after the skipped calls", async () => {
  const fake = await runFake();
  const fault = { kind: "answer", status: 503, method: "GET", path: "/api/v1/issuing/cards", skip: 1 };
  await fake.admin("POST", "/faults", { ...fault, times: 2 });
  await fake.get("issuing/cardholders");
  const statuses = [];
  for (let call = 0; call < 4; call++) statuses.push((await fake.get("issuing/cards")).status);
  expect(statuses).toEqual([200, 503, 503, 200]);
  expect((await fake.admin("POST", "/faults", { kind: "nonsense" })).status).toBe(400);
});
