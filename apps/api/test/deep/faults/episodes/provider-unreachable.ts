import { expect } from "vitest";
import { burst } from "../burst.ts";
import type { Cluster } from "../cluster/cluster.ts";
import { http } from "../cluster/http-bytes.ts";
import { clockAt } from "../cluster/process-clock.ts";
import type { Episode } from "./episode.ts";
import { pendingReply } from "./provider-answers.ts";

/** A process that cannot reach the provider. Another process sends the submissions. */
const unreachable = (title: string, env: (cluster: Cluster) => Record<string, string>): Episode => ({
  number: 16,
  title,
  group: "16: the provider is unreachable",
  async run(cluster, load) {
    const service = await cluster.startService({ env: env(cluster) });
    await burst(cluster, load, async (submission) => {
      expect(await cluster.submit(service, submission)).toMatchObject(pendingReply);
    });
    expect((await cluster.providerLedger()).attempts).toEqual([]);
  },
});

/** Fault 16: a provider that cannot be called. */
export const providerUnreachable: Episode[] = [
  unreachable("connection refused", () => ({ PROVIDER_URL: "http://127.0.0.1:1" })),
  unreachable("unknown host", () => ({ PROVIDER_URL: "http://provider.invalid" })),
  unreachable("TLS failure", ({ sandboxUrl }) => ({ PROVIDER_URL: sandboxUrl.replace("http:", "https:") })),
  unreachable("the service's signature is rejected", () => ({
    PROVIDER_CLIENT_SECRET: "another secret of ours",
  })),
  {
    number: 16,
    title: "the breaker is open",
    async run(cluster, load) {
      // The process's clock is constant, so the breaker stays open for the whole test.
      const service = await cluster.startService({ env: clockAt(String(Date.now())) });
      // Enough failures to open the breaker. Later submissions are not sent.
      await burst(cluster, { ...load, size: 20 }, (submission) => {
        service.provider.plan(submission.email, { put: [{ effect: false, answer: http(503, "{}") }] });
        return cluster.submit(service, submission);
      });
      const sent = service.provider.seen.length;
      await burst(cluster, load, async (submission) => {
        expect(await cluster.submit(service, submission)).toMatchObject(pendingReply);
      });
      expect(service.provider.seen.length).toBe(sent);
    },
  },
];
