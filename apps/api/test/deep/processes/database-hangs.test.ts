import { startDatabaseProxy } from "@cardbridge/service/database/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoKeys } from "../../../src/admission/api-key.ts";
import { restList, restSubmit } from "../../support/call.ts";
import { newSubmission, startTestService } from "../../support/test-service.ts";

/** The network to the database takes every byte and returns none, as in a failover. */
let proxy: Awaited<ReturnType<typeof startDatabaseProxy>>;
let service: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => {
  service = await startTestService({
    async databaseUrl(url) {
      proxy = await startDatabaseProxy(url);
      return proxy.url;
    },
    env: { REQUESTS_AT_ONCE: "8", RATE_LIMIT_READS: "unlimited", RATE_LIMIT_SUBMISSIONS: "unlimited" },
  });
});
afterAll(async () => {
  proxy.thaw();
  await service.stop();
  await proxy.close();
});

const list = (key = demoKeys.first) => restList(service.caller(key), { memberId: "alice" });
const submit = () => restSubmit(service.caller(), newSubmission());
const ready = async () => {
  const response = await fetch(`${service.url}/health/ready`);
  return { status: response.status, body: await response.json() };
};

/** Sends calls of two platforms for more than a second, and returns all responses. */
async function flood() {
  const answers: ReturnType<typeof list>[] = [];
  for (let round = 0; round < 60; round += 1) {
    answers.push(list(), list(demoKeys.second), submit());
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return Promise.all(answers);
}

describe("while the connection to the database hangs", () => {
  it("callers get 503 with Retry-After and never 429, and readiness names the database", async () => {
    expect([(await list()).status, (await submit()).status]).toEqual([200, 200]);
    proxy.freeze();
    const [answers, readiness] = await Promise.all([flood(), ready()]);
    const refused = answers.filter(({ status }) => status >= 400);
    expect(refused.length).toBeGreaterThan(100);
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([503]));
    expect(refused.filter(({ headers }) => !headers.has("retry-after"))).toEqual([]);
    expect(readiness).toMatchObject({
      status: 503,
      body: { reasons: ["The database cannot be reached: it does not respond (timeout)."] },
    });
  });

  it("they are served again, and a flood gets 429 again, when the database answers", async () => {
    proxy.thaw();
    await expect.poll(() => list(), { timeout: 60_000 }).toMatchObject({ status: 200 });
    await expect.poll(async () => (await ready()).status, { timeout: 60_000 }).toBe(200);
    const burst = async () => {
      const answers = await Promise.all(Array.from({ length: 1_000 }, () => list()));
      return answers.map(({ status }) => status);
    };
    await expect.poll(burst, { timeout: 60_000 }).toContain(429);
  });
});
