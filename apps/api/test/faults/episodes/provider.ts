import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "vitest";
import { until } from "../../support/until.ts";
import { clockAt } from "../clock-at.ts";
import { burst, type Episode } from "../play.ts";
import { http, type ProviderFault } from "../provider-proxy.ts";
import { impatient, type Service, type Stage } from "../stage.ts";

const pending = { status: 202, body: { success: true, code: "KYC_ACCEPTED", status: "PENDING" } };

/** The first submission of each applicant meets a fault; the client is told PENDING, and nothing worse. */
const answering = (
  row: number,
  title: string,
  fault: (stage: Stage) => ProviderFault,
  env: Record<string, string> = {},
): Episode => ({
  row,
  title,
  async run(stage, how) {
    const service = await stage.service({ env });
    await burst(stage, how, async (submission) => {
      service.provider.plan(submission.email, { put: [fault(stage)] });
      expect(await stage.submit(service, submission)).toMatchObject(pending);
    });
  },
});

/** A process that cannot reach the provider as it should; another one sends. */
const unreachable = (title: string, env: (stage: Stage) => Record<string, string>): Episode => ({
  row: 16,
  title,
  async run(stage, how) {
    const service = await stage.service({ env: env(stage) });
    await burst(stage, how, async (submission) => {
      expect(await stage.submit(service, submission)).toMatchObject(pending);
    });
    expect((await stage.ledger()).attempts).toEqual([]);
  },
});

const maybe = (stage: Stage) => stage.random() < 0.5;
const answered = (row: number, title: string, answer: ProviderFault["answer"]): Episode =>
  answering(row, title, (stage) => ({ effect: maybe(stage), answer }));

const retryAfter = (header: () => string, from: number, to: number): Episode => ({
  row: 20,
  title: `429 with Retry-After ${header().replace(/.*GMT/, "as a date")}`,
  async run(stage) {
    const service = await stage.service();
    const submission = stage.submission();
    const began = performance.now();
    const answer = http(429, "{}", { "retry-after": header() });
    service.provider.plan(submission.email, { put: [{ effect: false, answer }] });
    expect(await stage.submit(service, submission)).toMatchObject(pending);
    const [row] = await stage.rows<{ wait: number }>(
      "select extract(epoch from due_at - created_at)::float as wait from kyc_records",
    );
    // A date comes nearer, and the answer later, with all the time that this took.
    const taken = (performance.now() - began) / 1_000;
    expect(row?.wait).toBeGreaterThanOrEqual(from - (header().endsWith("GMT") ? taken : 0));
    expect(row?.wait).toBeLessThan(to + taken);
    await stage.rows("update kyc_records set due_at = least(due_at, clock_timestamp() + interval '5 s')");
  },
});

const state = (reference: string, userReference: string) =>
  JSON.stringify({
    reference,
    userReference,
    status: "approved",
    cardAccountId: "acct_foreign",
    revision: 1,
    updatedAt: new Date().toISOString(),
  });
const foreign = { effect: true, answer: http(200, state("kyc_foreign", "usr_foreign")) };
const html = "<!doctype html><title>Welcome</title>";

/** Rows 16 to 26: a provider that is not there, does not answer, or answers nonsense. */
export const providerTrouble: Episode[] = [
  unreachable("connection refused", () => ({ PROVIDER_URL: "http://127.0.0.1:1" })),
  unreachable("a name that nobody knows", () => ({ PROVIDER_URL: "http://provider.invalid" })),
  unreachable("TLS failure", ({ sandboxUrl }) => ({ PROVIDER_URL: sandboxUrl.replace("http:", "https:") })),
  unreachable("our signature is refused", () => ({ PROVIDER_CLIENT_SECRET: "another secret of ours" })),
  {
    row: 16,
    title: "the breaker is open",
    async run(stage, how) {
      // The breaker stays open for as long as the test takes: the process's clock stands still.
      const service = await stage.service({ env: clockAt(String(Date.now())) });
      // Enough failures to open it; whoever comes then is not sent.
      await burst(stage, { ...how, size: 20 }, (submission) => {
        service.provider.plan(submission.email, { put: [{ effect: false, answer: http(503, "{}") }] });
        return stage.submit(service, submission);
      });
      const sent = service.provider.seen.length;
      await burst(stage, how, async (submission) => {
        expect(await stage.submit(service, submission)).toMatchObject(pending);
      });
      expect(service.provider.seen.length).toBe(sent);
    },
  },
  answering(17, "timeout, effect happened", () => ({ effect: true, answer: "never" }), impatient),
  answering(18, "timeout, no effect", () => ({ effect: false, answer: "never" }), impatient),
  ...[500, 502, 503, 504].map((status) => answered(19, `${status}`, http(status, "{}"))),
  retryAfter(() => "2", 2, 4),
  retryAfter(() => new Date(Date.now() + 9_000).toUTCString(), 6, 12),
  retryAfter(() => "soon", 5, 8),
  retryAfter(() => "999999", 60, 70),
  answered(21, "409 in progress", http(409, JSON.stringify({ error: { code: "in_progress" } }))),
  answered(22, "200 with HTML", http(200, html, { "content-type": "text/html" })),
  answered(22, "200, truncated", http(200, '{"reference":"kyc', {}, 400)),
  answered(22, "200, empty", http(200, "")),
  answered(22, "200 with 100 MB announced", http(200, "{", {}, 104_857_600)),
  answered(22, "200 with more than the cap", http(200, JSON.stringify("x".repeat(3_000_000)))),
  answered(22, "200 with wrong types", http(200, JSON.stringify({ reference: 1, status: [] }))),
  answered(22, "a broken connection", "reset"),
  {
    row: 23,
    title: "a KYC answer of another reference",
    async run(stage, how) {
      const service = await stage.service();
      await burst(stage, how, async (submission) => {
        service.provider.plan(submission.email, { put: [foreign], ask: [foreign] });
        expect(await stage.submit(service, submission)).toMatchObject(pending);
        expect(await stage.submit(service, submission)).toMatchObject(pending);
      });
      await until(() => service.output().includes("provider_foreign_answer"));
    },
  },
  {
    row: 23,
    title: "a card of another reference",
    async run(stage) {
      const service = await stage.service();
      const submission = stage.submission();
      await stage.submit(service, submission);
      const { executions } = await stage.ledger();
      const userReference = executions[0]?.userReference ?? "";
      expect(await listStatus(stage, service, submission.memberId)).toBe(200);
      const page = { page: 1, pageSize: 20, total: 1, totalPages: 1 };
      const theirs = { cardId: "card_1", status: "active", userReference: "usr_foreign" };
      const body = JSON.stringify({ userReference, ...page, cards: [theirs], items: [theirs] });
      service.provider.plan("cards", { ask: [{ effect: false, answer: http(200, body) }] });
      expect(await listStatus(stage, service, submission.memberId)).toBe(502);
    },
  },
  {
    row: 24,
    title: "a new subStatus",
    async run(stage, how) {
      const service = await stage.service();
      await burst(
        stage,
        how,
        async (submission) => {
          const told = await stage.submit(service, submission);
          expect(told).toMatchObject({ status: 200, body: { status: null, subStatus: "manual_review" } });
        },
        "new-status",
      );
    },
  },
  answering(
    25,
    "one byte per second",
    () => ({ effect: true, answer: { ...http(200, state("kyc_slow", "usr_slow")), everyMs: 1_000 } }),
    impatient,
  ),
  {
    row: 26,
    title: "redirect to an internal host",
    async run(stage, how) {
      const visits: string[] = [];
      const internal = createServer((request, response) => {
        visits.push(request.url ?? "");
        response.end("{}");
      });
      await new Promise<void>((resolve) => internal.listen(0, "127.0.0.1", resolve));
      const location = `http://127.0.0.1:${(internal.address() as AddressInfo).port}/secrets`;
      const service = await stage.service({ run: "all" });
      await burst(stage, how, async (submission) => {
        const redirect = (status: number) => ({ effect: false, answer: http(status, "", { location }) });
        service.provider.plan(submission.email, { put: [redirect(307)], ask: [redirect(302)] });
        expect(await stage.submit(service, submission)).toMatchObject(pending);
      });
      await until(() => service.provider.seen.some(({ method }) => method === "GET"));
      expect(visits).toEqual([]);
      internal.close();
    },
  },
];

async function listStatus({ keys }: Stage, { url }: Service, memberId: string): Promise<number> {
  const headers = { authorization: `Bearer ${keys.first}` };
  return (await fetch(`${url}/openapi/v1/cards/list?memberId=${memberId}`, { headers })).status;
}
