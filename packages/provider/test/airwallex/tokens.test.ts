import { type ForkedFake, forkFake } from "@cardbridge/airwallex-fake";
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished } from "vitest";
import { createAirwallexProvider } from "../../src/index.ts";
import { connectAirwallex, createPath, credentials } from "../support/airwallex.ts";
import { failureOf } from "../support/provider.ts";

let fake: ForkedFake;
beforeAll(async () => {
  fake = await forkFake();
});
afterEach(() => fake.reset());
afterAll(() => fake.close());

const login = { method: "POST", path: "/api/v1/authentication/login" };

async function logins(): Promise<number> {
  return (await fake.requests()).filter(({ path }) => path === login.path).length;
}

it("one login serves concurrent calls", async () => {
  const { provider } = connectAirwallex(fake);
  await Promise.all([1, 2, 3, 4, 5].map((card) => provider.findCard(`card-${card}`)));
  expect(await logins()).toBe(1);
});

it("a token is renewed after two thirds of its lifetime, once for concurrent calls", async () => {
  let now = Date.now();
  const { provider } = connectAirwallex(fake, { now: () => now });
  await provider.findCard("card-1");
  now += 19 * 60_000;
  await provider.findCard("card-1");
  expect(await logins()).toBe(1);
  now += 2 * 60_000;
  await Promise.all([1, 2, 3].map(() => provider.findCard("card-1")));
  expect(await logins()).toBe(2);
});

it("a 401 renews the token once and repeats reads and uploads, not the creation", async () => {
  const { provider, newRequest } = connectAirwallex(fake);
  await provider.findCard("card-1");
  await fake.admin("POST", "/tokens/expire");
  expect(await Promise.all([1, 2, 3].map(() => provider.findCard("card-1")))).toEqual([null, null, null]);
  expect(await logins()).toBe(2);

  await fake.admin("POST", "/tokens/expire");
  expect(await provider.submitKyc(newRequest())).toMatchObject({ outcome: "answered" });
  expect(await logins()).toBe(3);

  await fake.fail({ kind: "expired_token", method: "POST", path: createPath });
  expect(await provider.submitKyc(newRequest())).toEqual({ outcome: "unknown", reason: "status-401" });
  const creations = (await fake.requests()).filter(({ path }) => path === createPath);
  expect(creations).toHaveLength(2);
});

it("after a rejected login nothing else is sent: a list is unavailable, and a submission is unsent", async () => {
  const { provider, newRequest } = connectAirwallex(fake, { apiKey: "wrong", retries: { count: 0 } });
  expect(await failureOf(provider.findCard("card-1"))).toMatchObject({
    code: "PROVIDER_UNAVAILABLE",
    reason: "status-401",
  });
  expect(await provider.submitKyc(newRequest())).toEqual({ outcome: "unsent", reason: "status-401" });
  expect((await fake.requests()).map(({ path }) => path)).toEqual([login.path, login.path]);
});

it.each([
  ["a page of HTML", { kind: "html" }, "not-json"],
  ["no token", { kind: "answer", status: 201, body: { token: null } }, "wrong-shape"],
  ["429", { kind: "rate_limit" }, "status-429"],
  ["no response", { kind: "reset" }, "connection-lost"],
])("a submission is unsent after a login with %s", async (_, fault, reason) => {
  const { provider, newRequest } = connectAirwallex(fake);
  await fake.fail({ ...login, ...fault });
  expect(await provider.submitKyc(newRequest())).toEqual({ outcome: "unsent", reason });
});

it("credentials and URLs that cannot be sent are rejected without quoting them", () => {
  const make = (changes: object) => {
    const options = { baseUrl: fake.url, filesUrl: fake.filesUrl, ...credentials, ...changes };
    const ids = { idOf: async () => null, userOf: async () => null };
    const provider = createAirwallexProvider({ ...options, ids, observer: { observe() {} } });
    onTestFinished(() => provider.close());
  };
  for (const changes of [{ apiKey: "a b\n" }, { clientId: "" }, { filesUrl: "ftp://a" }, { baseUrl: "x" }]) {
    expect(() => make(changes)).toThrow(TypeError);
  }
});
