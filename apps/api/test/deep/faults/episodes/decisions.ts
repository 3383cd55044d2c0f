import { expect } from "vitest";
import { until } from "../../../support/until.ts";
import { sendEvent } from "../clients/provider-event.ts";
import type { Cluster } from "../cluster/cluster.ts";
import type { Episode } from "./episode.ts";

const statusesOf = async ({ query }: Cluster) =>
  (await query<{ status: string | null }>("select status from kyc_history order by id")).map(
    ({ status }) => status,
  );

/** Faults 27 and 28: late, repeated, reordered and contradicting decisions. */
export const decisions: Episode[] = [
  {
    number: 27,
    title: "a late and a contradicting status",
    // The events report decisions that the sandbox's ledger does not contain.
    allowed: { unresolved: true },
    async run(cluster) {
      const service = await cluster.startService();
      await cluster.submit(service, cluster.newSubmission());
      const [{ reference = "", userReference = "" } = {}] = (await cluster.providerLedger()).executions;
      const report = (status: string, revision: number) =>
        sendEvent(service.url, { reference, userReference, status, revision });

      expect(await report("pending_approval", 5)).toBe(204);
      expect(await statusesOf(cluster)).toEqual([null, "APPROVED"]);
      expect(await report("rejected", 6)).toBe(204);
      expect(await report("approved", 4)).toBe(204);
      expect(await statusesOf(cluster)).toEqual([null, "APPROVED", "REJECTED"]);
      await until(() => service.output().includes("kyc_final_reversed"));
    },
  },
  {
    number: 28,
    title: "a repeated and reordered event before the result is stored",
    async run(cluster) {
      const service = await cluster.startService();
      const submission = cluster.newSubmission();
      const after = async () => {
        const [{ reference = "", userReference = "" } = {}] = (await cluster.providerLedger()).executions;
        const event = { reference, userReference, status: "approved", revision: 1 };
        const early = { ...event, status: "pending_approval", revision: 0 };
        for (const one of [event, early, event]) expect(await sendEvent(service.url, one)).toBe(204);
      };
      service.provider.plan(submission.email, { put: [{ effect: true, after, answer: "pass" }] });
      expect(await cluster.submit(service, submission)).toMatchObject({
        status: 200,
        body: { status: "APPROVED" },
      });
      // The event has no account, and the response with the same decision does not add it.
      expect(await statusesOf(cluster)).toEqual([null, "APPROVED"]);
    },
  },
];
