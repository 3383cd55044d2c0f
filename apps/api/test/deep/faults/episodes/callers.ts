import { expect } from "vitest";
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

/** Fault 29: callers who repeat themselves. */
export const callers: Episode[] = [
  identical("without a key", {}),
  identical("with a key", { idempotencyKey: "five-hundred" }),
];
