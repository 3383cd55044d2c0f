import { setTimeout as wait } from "node:timers/promises";
import { expect } from "vitest";
import { providerConnections } from "../../../../src/admission/slots.ts";
import { until } from "../../../support/until.ts";
import type { Submission } from "../clients/marked-submission.ts";
import type { Reply } from "../clients/submit.ts";
import type { Cluster } from "../cluster/cluster.ts";
import type { Service } from "../cluster/service.ts";
import type { Episode } from "./episode.ts";

/** Uses all slots of the platform with submissions that wait for the provider until `answer`. */
async function useSlots(cluster: Cluster, service: Service) {
  const answered = Promise.withResolvers<void>();
  const limit = providerConnections / 2;
  const submissions = Array.from({ length: limit }, () => cluster.newSubmission());
  const sent = submissions.map((submission) => {
    const before = () => answered.promise;
    service.provider.plan(submission.email, { put: [{ effect: true, before, answer: "pass" }] });
    return submit(cluster, service, submission);
  });
  await until(() => service.provider.seen.length === limit);
  return { submissions, answer: answered.resolve, sent: Promise.all(sent) };
}

/** Submits until the service accepts: on a busy machine it refuses part of a burst. */
async function submit(cluster: Cluster, service: Service, submission: Submission): Promise<Reply> {
  const reply = await cluster.submit(service, submission);
  if (reply.status !== 429 && reply.status !== 503) return reply;
  await wait(500);
  return submit(cluster, service, submission);
}

const isUnsent = "select from kyc_records where id = $1 and lease_until is null and step = 'send'";

/** Fault 38: submissions that get no slot for the provider. */
export const noSlot: Episode[] = [
  {
    number: 38,
    title: "no slot for the provider, then kill -9",
    async run(cluster) {
      const victim = await cluster.startService();
      const { submissions, answer, sent } = await useSlots(cluster, victim);
      const unsent = cluster.newSubmission();
      const { status, body } = await cluster.submit(victim, unsent);
      expect(status).toBe(202);
      expect(await cluster.query(isUnsent, [body.kycRecordId])).toHaveLength(1);
      victim.child.kill("SIGKILL");
      await sent;
      answer();
      for (const submission of [unsent, ...submissions]) await cluster.retry(submission);
      const { attempts } = await cluster.providerLedger();
      await until(async () => (await cluster.query(isUnsent, [body.kycRecordId])).length === 0);
      expect(attempts.filter(({ reference }) => reference === body.kycRecordId).length).toBeLessThanOrEqual(
        1,
      );
    },
  },
  {
    number: 38,
    title: "a backlog after a slow provider is sent once, by several workers",
    async run(cluster, { size }) {
      const front = await cluster.startService({ env: { PROVIDER_KYC_TIMEOUT_MS: "120000" } });
      const { answer, sent } = await useSlots(cluster, front);
      const backlog = Array.from({ length: size + 10 }, () => cluster.newSubmission());
      const replies = await Promise.all(backlog.map((submission) => submit(cluster, front, submission)));
      for (const { status } of replies) expect(status).toBe(202);
      await Promise.all([1, 2].map(() => cluster.startService({ run: "worker" })));
      const ids = new Set(replies.map(({ body }) => body.kycRecordId));
      const attemptsOf = async () =>
        (await cluster.providerLedger()).attempts.filter(({ reference }) => ids.has(reference));
      await until(async () => (await attemptsOf()).length === backlog.length);
      answer();
      for (const { status } of await sent) expect(status).toBe(200);
      expect(new Set((await attemptsOf()).map(({ reference }) => reference)).size).toBe(backlog.length);
    },
  },
];
