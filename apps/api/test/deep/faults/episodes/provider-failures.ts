import { expect } from "vitest";
import { burst } from "../burst.ts";
import { shortDeadline } from "../cluster/settings.ts";
import type { Episode } from "./episode.ts";

/** The process gets no response of the provider. The client receives PENDING, and another process resolves the record. */
const unanswered = (number: number, title: string, env: Record<string, string>, effect = false): Episode => ({
  number,
  title,
  group: "16 to 18: the provider does not respond",
  async run(cluster, load) {
    const service = await cluster.startService({ env });
    await burst(cluster, load, async (submission) => {
      service.provider.plan(submission.email, { put: [{ effect, answer: "never" }] });
      expect(await cluster.submit(service, submission)).toMatchObject({
        status: 202,
        body: { code: "KYC_ACCEPTED", status: "PENDING" },
      });
    });
  },
});

/** Faults 16 to 18: a provider that cannot be reached, or does not respond in time. */
export const providerFailures: Episode[] = [
  unanswered(16, "connection refused", { PROVIDER_URL: "http://127.0.0.1:1" }),
  unanswered(17, "timeout, effect happened", shortDeadline, true),
  unanswered(18, "timeout, no effect", shortDeadline),
];
