import { expect } from "vitest";
import { http } from "../cluster/http-bytes.ts";
import type { Episode } from "./episode.ts";
import { failureGroup, pendingReply } from "./provider-answers.ts";

/** The next attempt waits between `from` and `to` seconds. */
const retryAfter = (header: () => string, from: number, to: number): Episode => ({
  number: 20,
  title: `429 with Retry-After ${header().replace(/.*GMT/, "as a date")}`,
  group: failureGroup,
  async run(cluster) {
    const service = await cluster.sharedService();
    const submission = cluster.newSubmission();
    const began = performance.now();
    const answer = http(429, "{}", { "retry-after": header() });
    service.provider.plan(submission.email, { put: [{ effect: false, answer }] });
    const { body, ...reply } = await cluster.submit(service, submission);
    expect({ body, ...reply }).toMatchObject(pendingReply);
    const id = body.kycRecordId;
    const [record] = await cluster.query<{ wait: number }>(
      "select extract(epoch from due_at - created_at)::float as wait from kyc_records where id = $1",
      [id],
    );
    // On a slow machine the wait is shorter with a date, and the response comes later.
    const elapsed = (performance.now() - began) / 1_000;
    expect(record?.wait).toBeGreaterThanOrEqual(from - (header().endsWith("GMT") ? elapsed : 0));
    expect(record?.wait).toBeLessThan(to + elapsed);
    await cluster.query(
      "update kyc_records set due_at = least(due_at, clock_timestamp() + interval '5 s') where id = $1",
      [id],
    );
  },
});

/** Fault 20: a provider that names the time of the next attempt. */
export const rateLimits: Episode[] = [
  retryAfter(() => "2", 2, 4),
  retryAfter(() => new Date(Date.now() + 9_000).toUTCString(), 6, 12),
  retryAfter(() => "soon", 5, 8),
  retryAfter(() => "999999", 60, 70),
];
