import { setTimeout as wait } from "node:timers/promises";
import { expect } from "vitest";
import { until } from "../../support/until.ts";
import { clockAt } from "../clock-at.ts";
import { burst, type Episode } from "../play.ts";
import { impatient } from "../stage.ts";

const identical = (title: string, headers: { idempotencyKey?: string }): Episode => ({
  row: 29,
  title: `500 identical POSTs at once, ${title}`,
  async run(stage) {
    const service = await stage.service();
    const submission = stage.submission();
    const all = await Promise.all(
      Array.from({ length: 500 }, () => stage.submit(service, submission, headers)),
    );
    // On a machine with too much to do some are told to come back; then they are repeated like the others.
    for (const { status, retryAfter } of all) {
      expect(status === 503 ? ["come back", retryAfter !== null] : status).toBeOneOf([
        200,
        202,
        409,
        ["come back", true],
      ]);
    }
    expect(await stage.insist(submission, headers)).toMatchObject({ replayed: true });
    expect(await stage.rows("select from kyc_records")).toHaveLength(1);
    expect((await stage.ledger()).attempts).toHaveLength(1);
  },
});

/** Rows 29 to 35: callers who repeat, mix up or leave, clocks that are wrong, two versions at once. */
export const callers: Episode[] = [
  identical("without a key", {}),
  identical("with a key", { idempotencyKey: "five-hundred" }),
  {
    row: 30,
    title: "same key, other body",
    async run(stage) {
      const service = await stage.service();
      const [first, second] = [stage.submission(), stage.submission()];
      await stage.submit(service, first, { idempotencyKey: "one-key" });
      expect(await stage.submit(service, second, { idempotencyKey: "one-key" })).toMatchObject({
        status: 422,
        body: { code: "IDEMPOTENCY_KEY_REUSED" },
      });
      expect((await stage.ledger()).attempts).toHaveLength(1);
      expect(await stage.rows("select from users")).toHaveLength(1);
      await stage.insist(second);
    },
  },
  {
    row: 31,
    title: "same key, other platform",
    // One member id names two users here.
    allowed: { perUser: 2 },
    async run(stage) {
      const service = await stage.service();
      const submission = stage.submission();
      for (const key of [stage.keys.first, stage.keys.second]) {
        const told = await stage.submit(service, submission, { key, idempotencyKey: "one-key" });
        expect(told).toMatchObject({ status: 200, replayed: false });
      }
      expect((await stage.ledger()).executions).toHaveLength(2);
    },
  },
  {
    row: 32,
    title: "a retry after the key's retention",
    async run(stage) {
      const service = await stage.service();
      const submission = stage.submission();
      const withKey = { idempotencyKey: "kept-for-a-while" };
      await stage.submit(service, submission, withKey);
      await stage.rows("update idempotency_keys set created_at = now() - interval '40 days'");
      await stage.rows("select delete_idempotency_keys('35 days')");
      expect(await stage.rows("select from idempotency_keys")).toEqual([]);
      expect(await stage.submit(service, submission, withKey)).toMatchObject({ status: 200, replayed: true });
      const other = { ...submission, occupation: "Somebody else" };
      expect(await stage.submit(service, other)).toMatchObject({
        status: 409,
        body: { code: "KYC_ALREADY_SUBMITTED" },
      });
      expect((await stage.ledger()).attempts).toHaveLength(1);
    },
  },
  {
    row: 33,
    title: "the client disconnects while waiting",
    async run(stage, how) {
      const service = await stage.service();
      await burst(stage, { ...how, retries: true }, async (submission) => {
        const gone = new AbortController();
        const meanwhile = () => gone.abort();
        const afterwards = () => wait(300);
        service.provider.plan(submission.email, {
          put: [{ effect: true, meanwhile, afterwards, answer: "pass" }],
        });
        expect(await stage.submit(service, submission, { signal: gone.signal })).toMatchObject({
          status: undefined,
        });
        const isStored = async () => {
          const held = "select from kyc_records where status = 'APPROVED' and attempt = 1";
          return (await stage.rows(held)).length > 0;
        };
        await until(isStored);
      });
    },
  },
  ...[1, -1].map(
    (hours): Episode => ({
      row: 34,
      title: `a clock ${hours > 0 ? "one hour ahead" : "one hour behind"}`,
      async run(stage) {
        const service = await stage.service();
        const wrong = await stage.service({ run: "all", env: clockAt(`Real.now() + ${hours * 3_600_000}`) });
        const submission = stage.submission();
        const meanwhile = () => wait(1_100);
        service.provider.plan(submission.email, { put: [{ effect: true, meanwhile, answer: "pass" }] });
        // The other process looks for due records meanwhile, and does not take one that is owned.
        expect(await stage.submit(service, submission)).toMatchObject({ status: 200 });
        expect(await stage.rows("select from kyc_records where attempt = 1")).toHaveLength(1);
        // Its own signatures are refused for their time: what it takes waits for one whose clock is right.
        expect(await stage.submit(wrong, stage.submission())).toMatchObject({ status: 202 });
        await wrong.end("SIGTERM");
      },
    }),
  ),
  {
    row: 35,
    title: "two versions during a rolling deploy",
    async run(stage, how) {
      const old = await stage.service({ run: "all", env: impatient });
      const load = (from: typeof old) =>
        burst(stage, { ...how, retries: true, size: how.size * 5 }, async (submission) => {
          await wait(stage.random() * 1_500);
          const troubled = stage.random() < 0.3;
          if (troubled) from.provider.plan(submission.email, { put: [{ effect: true, answer: "never" }] });
          return stage.submit(from, submission);
        });
      const onOld = load(old);
      // The next version's migration only adds, while the old one still serves.
      await stage.rows("alter table kyc_records add column of_the_next_version text default 'none'");
      await stage.rows("alter table kyc_history add column of_the_next_version text");
      await stage.rows("create index of_the_next_version on kyc_records (of_the_next_version)");
      const next = await stage.service({
        run: "all",
        env: { ...impatient, POLICY_DOCUMENT_EXPIRY: "future" },
      });
      const onNext = load(next);
      await wait(500);
      expect(await old.end("SIGTERM")).toBe(0);
      await Promise.all([onOld, onNext]);
    },
  },
];
