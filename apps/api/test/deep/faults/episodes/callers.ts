import { setTimeout as wait } from "node:timers/promises";
import { expect } from "vitest";
import { until } from "../../../support/until.ts";
import { burst } from "../burst.ts";
import type { Episode } from "./episode.ts";

const identical = (title: string, headers: { idempotencyKey?: string }): Episode => ({
  number: 29,
  title: `500 identical POSTs at once, ${title}`,
  async run(cluster) {
    const service = await cluster.startService();
    const submission = cluster.newSubmission();
    const replies = await Promise.all(
      Array.from({ length: 500 }, () => cluster.submit(service, submission, headers)),
    );
    // One platform gets half of the slots. The service rejects the other requests with Retry-After, also those that find
    // no connection to the database.
    for (const { status, retryAfter } of replies) {
      const outcome = status === 429 || status === 503 ? ["refused", retryAfter !== null] : status;
      expect(outcome).toBeOneOf([200, 202, 409, ["refused", true]]);
    }
    // A busy machine can refuse all of them: the first retry then creates the record.
    await cluster.retry(submission, headers);
    expect(await cluster.retry(submission, headers)).toMatchObject({ replayed: true });
    expect(await cluster.query("select from kyc_records")).toHaveLength(1);
    expect((await cluster.providerLedger()).attempts).toHaveLength(1);
  },
});

/** Faults 29 to 33: callers who repeat, reuse a key, or disconnect. */
export const callers: Episode[] = [
  identical("without a key", {}),
  identical("with a key", { idempotencyKey: "five-hundred" }),
  {
    number: 30,
    title: "same key, other body",
    async run(cluster) {
      const service = await cluster.startService();
      const [first, second] = [cluster.newSubmission(), cluster.newSubmission()];
      await cluster.submit(service, first, { idempotencyKey: "one-key" });
      expect(await cluster.submit(service, second, { idempotencyKey: "one-key" })).toMatchObject({
        status: 422,
        body: { code: "IDEMPOTENCY_KEY_REUSED" },
      });
      expect((await cluster.providerLedger()).attempts).toHaveLength(1);
      expect(await cluster.query("select from users")).toHaveLength(1);
      await cluster.retry(second);
    },
  },
  {
    number: 31,
    title: "same key, other platform",
    // One member id belongs to two users here.
    allowed: { perUser: 2 },
    async run(cluster) {
      const service = await cluster.startService();
      const submission = cluster.newSubmission();
      for (const key of [cluster.keys.first, cluster.keys.second]) {
        const reply = await cluster.submit(service, submission, { key, idempotencyKey: "one-key" });
        expect(reply).toMatchObject({ status: 200, replayed: false });
      }
      expect((await cluster.providerLedger()).executions).toHaveLength(2);
    },
  },
  {
    number: 32,
    title: "a retry after the key's retention",
    async run(cluster) {
      const service = await cluster.startService();
      const submission = cluster.newSubmission();
      const withKey = { idempotencyKey: "kept-for-a-while" };
      await cluster.submit(service, submission, withKey);
      await cluster.query("update idempotency_keys set created_at = now() - interval '40 days'");
      await cluster.query("select delete_idempotency_keys('35 days', 1000)");
      expect(await cluster.query("select from idempotency_keys")).toEqual([]);
      expect(await cluster.submit(service, submission, withKey)).toMatchObject({
        status: 200,
        replayed: true,
      });
      const other = { ...submission, occupation: "Somebody else" };
      expect(await cluster.submit(service, other)).toMatchObject({
        status: 409,
        body: { code: "KYC_ALREADY_SUBMITTED" },
      });
      expect((await cluster.providerLedger()).attempts).toHaveLength(1);
    },
  },
  {
    number: 33,
    title: "the client disconnects while waiting",
    async run(cluster, load) {
      const service = await cluster.startService();
      await burst(cluster, { ...load, retries: true }, async (submission) => {
        const client = new AbortController();
        const before = () => client.abort();
        const after = () => wait(300);
        service.provider.plan(submission.email, {
          put: [{ effect: true, before, after, answer: "pass" }],
        });
        expect(await cluster.submit(service, submission, { signal: client.signal })).toMatchObject({
          status: undefined,
        });
        const isStored = async () => {
          const stored = "select from kyc_records where status = 'APPROVED' and attempt = 1";
          return (await cluster.query(stored)).length > 0;
        };
        await until(isStored);
      });
    },
  },
];
