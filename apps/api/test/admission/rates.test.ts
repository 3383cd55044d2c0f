import type { Person, Scope } from "@cardbridge/domain";
import { exampleSubmission } from "@cardbridge/service";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { generateApiKey } from "../../src/admission/api-key.ts";
import {
  configuredRates,
  createRateLimiter,
  createTokenBucket,
  rateClasses,
  rateClassOf,
} from "../../src/admission/rate.ts";
import { createRedisRate } from "../../src/admission/redis-rate.ts";
import { readEnv } from "../../src/config/env.ts";
import { restList, restSubmit, trpcList, trpcSubmit } from "../support/call.ts";
import { fakeApp, fakePorts, fullKey } from "../support/fakes.ts";
import { unusedPort } from "../support/unused-port.ts";

/** Rate limits per platform (G22): their headers, and that refused calls have no effect. */
const valid = exampleSubmission.input;
const someone = { memberId: "member-1" };

/** An app with limits of three reads and two submissions per ten seconds, with a manual clock. */
function limitedApp(options: Parameters<typeof fakeApp>[0] = {}) {
  const clock = { ms: 0 };
  const fake = fakePorts();
  let touched = 0;
  const counting = <T extends object>(port: T): T =>
    new Proxy(port, {
      get(target, name) {
        touched += 1;
        return Reflect.get(target, name);
      },
    });
  const ports = {
    ...fake.ports,
    users: counting(fake.ports.users),
    kycRecords: counting(fake.ports.kycRecords),
    provider: counting(fake.ports.provider),
  };
  const { app, lookUps } = fakeApp({
    ports,
    rateOf: (_platform, rateClass) => ({ calls: rateClass === "reads" ? 3 : 2, seconds: 10 }),
    now: () => clock.ms,
    ...options,
  });
  const caller = (key = fullKey) => ({
    key,
    fetch: (path: string, init?: RequestInit) => app.request(path, init),
  });
  return { clock, caller, lookUps, touched: () => touched };
}

describe("a token bucket", () => {
  const rate = fc.record({
    calls: fc.integer({ min: 1, max: 500 }),
    seconds: fc.integer({ min: 1, max: 90 }),
  });

  it("never exceeds its rate in any period", () => {
    const waits = fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 200 });
    fc.assert(
      fc.property(rate, waits, ({ calls, seconds }, steps) => {
        let ms = 0;
        let taken = 0;
        const bucket = createTokenBucket({ calls, seconds }, () => ms);
        for (const step of steps) {
          ms += step;
          const tokens = bucket.take();
          if (tokens.taken) taken += 1;
          else expect(tokens.left).toBe(0);
          expect(taken * seconds * 1_000).toBeLessThanOrEqual(calls * (seconds * 1_000 + ms));
        }
      }),
    );
  });

  it("has the next token exactly after the seconds that it reports", () => {
    fc.assert(
      fc.property(rate, fc.integer({ min: 0, max: 10_000 }), ({ calls, seconds }, start) => {
        let ms = start;
        const bucket = createTokenBucket({ calls, seconds }, () => ms);
        for (let i = 0; i < calls; i += 1) expect(bucket.take().taken).toBe(true);
        const { taken, left, secondsToNext } = bucket.take();
        expect([taken, left]).toEqual([false, 0]);
        ms += (secondsToNext - 1) * 1_000;
        expect(bucket.take().taken).toBe(false);
        ms += 1_000;
        expect(bucket.take().taken).toBe(true);
      }),
    );
  });
});

describe.each([
  ["REST", restList, restSubmit],
  ["tRPC", trpcList, trpcSubmit],
])("a limited platform over %s", (_name, list, submit) => {
  it("gets the state of its limit with every response", async () => {
    const { caller, clock } = limitedApp();
    const limitOf = async (call: ReturnType<typeof list>) => {
      const { status, headers } = await call;
      return [status, headers.get("ratelimit"), headers.get("ratelimit-policy")];
    };
    const reads = '"reads";q=3;w=10';
    expect(await limitOf(list(caller(), someone))).toEqual([200, '"reads";r=2;t=4', reads]);
    expect(await limitOf(list(caller(), {}))).toEqual([400, '"reads";r=1;t=4', reads]);
    clock.ms += 1_000;
    expect(await limitOf(list(caller(), { memberId: "nobody" }))).toEqual([404, '"reads";r=0;t=3', reads]);
    expect(await limitOf(submit(caller(), valid))).toEqual([
      200,
      '"submissions";r=1;t=5',
      '"submissions";q=2;w=10',
    ]);
  });

  it("gets 429 above its rate of reads, without an effect, and can continue after Retry-After", async () => {
    const { caller, clock, lookUps, touched } = limitedApp();
    for (let i = 0; i < 3; i += 1) expect((await list(caller(), someone)).status).toBe(200);
    const before = [touched(), lookUps.length];
    const refused = await list(caller(), someone);
    expect(refused).toMatchObject({
      status: 429,
      body: { code: "RATE_LIMITED", success: false, errors: [] },
    });
    expect(refused.headers.get("ratelimit")).toBe('"reads";r=0;t=4');
    expect(refused.headers.get("retry-after")).toBe("4");
    expect([touched(), lookUps.length]).toEqual([before[0], (before[1] ?? 0) + 1]);
    clock.ms += 4_000;
    expect((await list(caller(), someone)).status).toBe(200);
    expect((await list(caller(), someone)).status).toBe(429);
  });

  it("gets 429 above its rate of submissions for any body, and nothing is stored", async () => {
    const { caller, touched } = limitedApp();
    await submit(caller(), valid);
    await submit(caller(), valid);
    const before = touched();
    for (const body of [valid, "{", "x".repeat(70_000)]) {
      const refused = await submit(caller(), body);
      expect(refused).toMatchObject({ status: 429, body: { code: "RATE_LIMITED" } });
      expect(refused.headers.get("retry-after")).toBe("5");
    }
    expect(touched()).toBe(before);
    expect((await list(caller(), someone)).status).toBe(200);
  });
});

it.each([
  ["GET", "/openapi/v1/cards/list?memberId=a", "reads"],
  ["HEAD", "/trpc/kyc.submit", "reads"],
  ["POST", "/openapi/v1/users/ky%63?x=1", "submissions"],
  ["POST", "/trpc/kyc%2Esubmit,files.createUploadUrl?batch=1", "submissions"],
  ["POST", "/openapi/v1/users/kyc/validate", "writes"],
  ["POST", "/openapi/v1/files", "writes"],
  ["POST", "/trpc/files.createUploadUrl,kyc.submit?batch=1", "writes"],
  ["POST", "/trpc/%", "writes"],
])("%s %s counts as one of the %s", (method, target, rateClass) => {
  expect(rateClassOf(method, target)).toBe(rateClass);
});

it("REST and tRPC share a bucket; platforms have separate ones", async () => {
  const other = generateApiKey("test");
  const { caller } = limitedApp({ keys: { [other]: ["cards:read"] }, platforms: { [other]: "plt_2" } });
  await restList(caller(), someone);
  await trpcList(caller(), someone);
  await restList(caller(), someone);
  expect((await trpcList(caller(), someone)).status).toBe(429);
  expect((await trpcList(caller(other), someone)).status).toBe(200);
});

it("each person behind an app's key has a bucket, and another one for what limits damage", async () => {
  const appKey = generateApiKey("test", "internal");
  const state = { sub: "busy" };
  const personOf = (): Person => ({
    personId: state.sub,
    roles: ["administrator"],
    platforms: "all",
    authenticatedAt: new Date(),
    expiresAt: new Date(Date.now() + 60_000),
  });
  const scopes: Scope[] = ["ops.records.act", "ops.keys"];
  const { caller } = limitedApp({ keys: { [appKey]: scopes }, personOf });
  const post = async (id: string, input: object) => {
    const headers = { authorization: `Bearer ${appKey}`, "content-type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify(input) };
    return (await caller().fetch(`/trpc/${id}`, init)).status;
  };
  const note = () => post("records.addNote", { kycRecordId: "kyc_none", text: "A note" });
  expect([await note(), await note(), await note()]).toEqual([404, 404, 429]);
  expect(await post("keys.revoke", { keyId: "key_none" })).toBe(404);
  state.sub = "another";
  expect(await note()).toBe(404);
});

it("a process keeps 10,000 buckets, and forgets the oldest one for the next holder", async () => {
  const { count } = createRateLimiter({ rateOf: () => ({ calls: 1, seconds: 60 }), now: () => 0 });
  const areAllowed = (...holders: string[]) =>
    Promise.all(holders.map(async (holder) => (await count(holder, "reads"))?.allowed));
  await areAllowed(...Array.from({ length: 10_000 }, (_, index) => `per_${index + 1}`));
  expect(await areAllowed("per_1", "per_2", "per_10001")).toEqual([false, false, true]);
  expect(await areAllowed("per_1", "per_3", "per_10000")).toEqual([true, false, false]);
});

it("a caller without a key does not use any bucket, and a malformed one causes no look-up", async () => {
  const { caller, lookUps } = limitedApp();
  for (const key of [generateApiKey("test"), "x", "cb_live_", `${fullKey}x`, fullKey.slice(0, -1)]) {
    const refused = await restList(caller(key), someone);
    expect([refused.status, refused.headers.get("ratelimit")]).toEqual([401, null]);
  }
  expect(lookUps).toHaveLength(1);
  expect((await restList(caller(), someone)).status).toBe(200);
});

it("without a limit there is no rate-limit header", async () => {
  const { status, headers } = await restList(limitedApp({ rateOf: () => undefined }).caller(), someone);
  expect([status, headers.get("ratelimit"), headers.get("ratelimit-policy")]).toEqual([200, null, null]);
});

describe("the configuration", () => {
  const rates = (env: Record<string, string>) => {
    const {
      RATE_LIMIT_READS: reads,
      RATE_LIMIT_WRITES: writes,
      RATE_LIMIT_SUBMISSIONS: submissions,
    } = readEnv(env);
    return configuredRates({ reads, writes, submissions }, (platform) => platform === "demo");
  };

  it("limits platforms by default, except demo platforms", () => {
    const rateOf = rates({});
    expect(rateOf("plt_1", "reads")).toEqual({ calls: 6_000, seconds: 60 });
    for (const rateClass of ["writes", "submissions"] as const)
      expect(rateOf("plt_1", rateClass)).toEqual({ calls: 600, seconds: 60 });
    for (const rateClass of rateClasses) expect(rateOf("demo", rateClass)).toBeUndefined();
  });

  it("applies to all platforms if it is set", () => {
    const rateOf = rates({
      RATE_LIMIT_READS: "unlimited",
      RATE_LIMIT_WRITES: "7/3",
      RATE_LIMIT_SUBMISSIONS: "5/2",
    });
    for (const platform of ["plt_1", "demo"]) {
      expect(rateOf(platform, "reads")).toBeUndefined();
      expect(rateOf(platform, "writes")).toEqual({ calls: 7, seconds: 3 });
      expect(rateOf(platform, "submissions")).toEqual({ calls: 5, seconds: 2 });
    }
  });

  it.each(["0/1", "1", "1/1/1", "1.5/1"])("is refused if it is invalid: %s", (text) => {
    expect(() => readEnv({ RATE_LIMIT_READS: text })).toThrow("RATE_LIMIT_READS: Set calls per seconds");
  });
});

it("the reason of an unavailable Redis is the system's code", async () => {
  const reasons: string[] = [];
  const rate = createRedisRate(`redis://127.0.0.1:${await unusedPort()}`, (reason) => reasons.push(reason));
  onTestFinished(rate.close);
  const take = () => rate.take("reads:plt_1", { calls: 10, seconds: 1 });
  const lastReason = async () => {
    await take();
    return reasons.at(-1);
  };
  await expect.poll(lastReason, { timeout: 60_000 }).toBe("ECONNREFUSED");
});
