import { createTestDatabase } from "@cardbridge/store/testing";
import { Client } from "pg";
import { expect, inject, it, onTestFinished } from "vitest";
import { restSubmit } from "../../support/call.ts";
import { newSubmission, startTestService } from "../../support/test-service.ts";
import { until } from "../../support/until.ts";

/** A service that caches for an hour, and what it says about it. */
async function aService(env: Record<string, string>) {
  const service = await startTestService({ events: false, env: { LOOKUP_CACHE_SECONDS: "3600", ...env } });
  onTestFinished(service.stop);
  const admin = new Client({ connectionString: service.adminUrl });
  await admin.connect();
  onTestFinished(() => admin.end());
  const submission = newSubmission();
  await restSubmit(service.caller(), submission);
  const { key, fetch } = service.caller();
  const headers = { authorization: `Bearer ${key}` };
  return {
    service,
    /** The status of a card list of a user, with a key. */
    list: async () =>
      (await fetch(`/openapi/v1/cards/list?memberId=${submission.memberId}`, { headers })).status,
    relink: () => admin.query("update users set member_id_index = sha256(member_id_index)"),
    revoke: () => admin.query("update api_keys set revoked_at = now()"),
    ready: async () => (await fetch("/health/ready")).json(),
    metric: async () =>
      /^cardbridge_lookup_cache_active (\d)$/m.exec(
        await (await service.metrics(new Request("http://127.0.0.1/metrics"))).text(),
      )?.[1],
  };
}

it("a service that hears changes caches keys and users until they change", async () => {
  const { list, relink, revoke, ready, metric } = await aService({});
  await until(async () => (await metric()) === "1");
  expect(await ready()).toEqual({ status: "ready" });
  expect(await list()).toBe(200);
  await relink();
  await until(async () => (await list()) === 404);
  await revoke();
  await until(async () => (await list()) === 401);
});

it("a service that does not hear them caches nothing, and says so in readiness, metrics and log", async () => {
  const other = await createTestDatabase(inject("postgres"));
  onTestFinished(other.drop);
  const { service, list, relink, revoke, ready, metric } = await aService({
    DATABASE_LISTEN_URL: other.serviceUrl,
  });
  expect(await list()).toBe(200);
  await relink();
  expect(await list()).toBe(404);
  await revoke();
  expect(await list()).toBe(401);
  expect(await metric()).toBe("0");
  expect(await ready()).toEqual({
    status: "ready",
    warnings: ["Keys and users are not cached: changes are not heard. Check DATABASE_LISTEN_URL."],
  });
  const unheard = () => service.lines.filter((line) => line.includes("lookup_changes_unheard"));
  await until(() => unheard().length > 0);
  expect(unheard().map((line) => JSON.parse(line).labels)).toEqual([{ reason: "not-heard" }]);
});

it("a service that never caches has no such metric", async () => {
  const { metric, ready } = await aService({ LOOKUP_CACHE_SECONDS: "0" });
  expect([await metric(), await ready()]).toEqual([undefined, { status: "ready" }]);
});
