import { Client } from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { restList, restSubmit } from "../support/call.ts";
import { eventsOf } from "../support/event-stream.ts";
import { makeInternalKey } from "../support/keys.ts";
import { operatorScopes } from "../support/operator-scopes.ts";
import { newSubmission, startTestService } from "../support/test-service.ts";
import { problemIn, trpcClient } from "../support/trpc.ts";
import { until } from "../support/until.ts";

/** Operators' pauses of the service with real components and its worker. */
let service: Awaited<ReturnType<typeof startTestService>>;
let operator: ReturnType<typeof trpcClient>;
beforeAll(async () => {
  service = await startTestService({
    env: { RUN: "all", UNSENT_SUBMISSIONS: "2" },
    overrides: { resolveIntervalMs: 20 },
  });
  const apiKey = await makeInternalKey(service.adminUrl, [...operatorScopes, "kyc:read"]);
  operator = trpcClient({ url: service.url, apiKey });
});
afterAll(() => service.stop());

const platformId = "plt_demo_one";
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
const caller = () => service.caller();

const metrics = async () => (await service.metrics(new Request("http://localhost/metrics"))).text();
const statusOf = async () => (await restList(caller(), { memberId: "alice" })).status;
const isPaused = async (status: number) => (await statusOf()) === status;

async function pauseProvider() {
  const pause = await operator.pauses.pauseProvider.mutate({ reason: "Maintenance", until: inAnHour() });
  await until(() => isPaused(503));
  return pause;
}
async function pausePlatform() {
  const pause = await operator.pauses.pausePlatform.mutate({
    platformId,
    reason: "Calls after a leaked key",
    until: inAnHour(),
  });
  await until(() => isPaused(403));
  return pause;
}

afterEach(async () => {
  const { pauses } = await operator.pauses.list.query({ active: true });
  for (const { pauseId, state } of pauses) {
    if (state === "active") await operator.pauses.resume.mutate({ pauseId });
  }
  await until(() => isPaused(200));
});

describe("while the provider is paused", () => {
  it("submissions are stored beyond the normal limit, and sent exactly once after it", async () => {
    const before = newSubmission();
    expect((await restSubmit(caller(), before)).status).toBe(200);
    const { pauseId } = await pauseProvider();
    const second = operator.pauses.pauseProvider.mutate({ reason: "Again", until: inAnHour() });
    expect(await problemIn(second)).toMatchObject({ code: "PAUSE_CONFLICT" });
    expect(await metrics()).toContain('cardbridge_paused{target="provider"} 1');
    const submissions = Array.from({ length: 12 }, () => newSubmission());
    const answers = await Promise.all(submissions.map((submission) => restSubmit(caller(), submission)));
    expect(answers.map(({ status, headers }) => [status, headers.get("retry-after")])).toEqual(
      submissions.map(() => [202, "60"]),
    );
    expect(await restSubmit(caller(), before)).toMatchObject({ status: 200 });
    const ids = answers.map(({ body }) => (body as { kycRecordId: string }).kycRecordId);
    const sent = async () => {
      const { attempts, executions } = await service.ledger();
      const isOne = ({ reference }: { reference: string }) => ids.includes(reference);
      return { attempts: attempts.filter(isOne).length, executions: executions.filter(isOne).length };
    };
    const { records } = await operator.records.search.query({ open: true });
    expect(records.filter(({ kycRecordId }) => ids.includes(kycRecordId))).toHaveLength(12);
    // The worker polls 50 times a second, so it has looked since the first was stored.
    expect(await sent()).toEqual({ attempts: 0, executions: 0 });

    await operator.pauses.resume.mutate({ pauseId });
    await until(async () => (await sent()).executions === 12);
    expect(await metrics()).toContain('cardbridge_paused{target="provider"} 0');
    const lines = service.lines.filter((line) => line.includes(pauseId)).map((line) => JSON.parse(line));
    expect(lines.map(({ msg, target }) => [msg, target])).toEqual([
      ["pause_started", "provider"],
      ["pause_ended", "provider"],
    ]);
    expect(JSON.stringify(lines)).not.toContain("Maintenance");
    expect(await sent()).toEqual({ attempts: 12, executions: 12 });
    const ended = await Promise.all(submissions.map((submission) => restSubmit(caller(), submission)));
    expect(ended.map(({ body }) => (body as { kycRecordId: string }).kycRecordId)).toEqual(ids);
  });

  it("lists, cards and manual attempts are refused with Retry-After", async () => {
    const { body } = await restSubmit(caller(), newSubmission());
    const { kycRecordId, externalUserId } = body as { kycRecordId: string; externalUserId: string };
    await pauseProvider();
    const list = await restList(caller(), { memberId: "alice" });
    expect(list).toMatchObject({ status: 503, body: { code: "PROVIDER_PAUSED" } });
    expect(list.headers.get("retry-after")).toBe("60");
    const own = trpcClient({ url: service.url, apiKey: caller().key });
    // All are awaited together: one that fails while another is awaited counts as an unhandled rejection.
    const problems = await Promise.all(
      [
        own.cards.get.query({ cardId: "card_demo_0001" }),
        operator.users.cards.query({ platformId, externalUserId }),
        operator.records.refresh.mutate({ kycRecordId }),
      ].map(problemIn),
    );
    for (const problem of problems) expect(problem).toMatchObject({ code: "PROVIDER_PAUSED" });
    const { attempt, leaseUntil } = await operator.records.get.query({ kycRecordId });
    expect({ attempt, leaseUntil }).toEqual({ attempt: 1, leaseUntil: null });
  });
});

describe("while a platform is paused", () => {
  it("its calls and its subscription are refused, operators see everything, and its stored submissions are sent", async () => {
    const stored = await pauseProvider();
    const { body } = await restSubmit(caller(), newSubmission());
    const { kycRecordId } = body as { kycRecordId: string };
    const leaving = new AbortController();
    const subscription = await fetch(`${service.url}/trpc/kyc.changes`, {
      headers: { authorization: `Bearer ${caller().key}` },
      signal: leaving.signal,
    });
    await pausePlatform();
    const ended = [];
    for await (const { event, data } of eventsOf(subscription)) ended.push({ event, data });
    expect(JSON.stringify(ended.at(-1))).toContain("PLATFORM_PAUSED");
    leaving.abort();
    expect(await restSubmit(caller(), newSubmission())).toMatchObject({
      status: 403,
      body: {
        code: "PLATFORM_PAUSED",
        errors: [{ message: expect.stringContaining("Calls after a leaked key") }],
      },
    });
    expect(await operator.records.get.query({ kycRecordId })).toMatchObject({ resolution: "unresolved" });
    expect(await problemIn(operator.kyc.history.query({ platformId, kycRecordId }))).toMatchObject({
      code: "PLATFORM_PAUSED",
    });

    await operator.pauses.resume.mutate({ pauseId: stored.pauseId });
    const executed = async () =>
      (await service.ledger()).executions.filter(({ reference }) => reference === kycRecordId).length;
    await until(async () => (await executed()) > 0);
    expect(await executed()).toBe(1);
  });
});

it("the status says how the service is set up, without secrets", async () => {
  const status = await operator.service.status.query({});
  expect(status).toMatchObject({
    environment: "test",
    fourEyes: true,
    provider: { name: "cardbridge", breakers: { cards: "closed", kyc: "closed" } },
    restoreCheckedAt: null,
  });
  expect(status.limits).toContainEqual({ name: "UNSENT_SUBMISSIONS", value: "2" });
  expect(status.limits).toContainEqual({ name: "RATE_LIMIT_READS", value: "6000/60" });
  expect(JSON.stringify(status)).not.toMatch(/:\/\/|secret|password/i);
  const admin = new Client(service.adminUrl);
  await admin.connect();
  await admin.query("insert into restores (checked_at) values ('2027-01-31T13:00:00Z')");
  await admin.end();
  const { restoreCheckedAt } = await operator.service.status.query({});
  expect(restoreCheckedAt).toBe("2027-01-31T13:00:00.000Z");
});
