import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "vitest";
import { until } from "../../../support/until.ts";
import { burst } from "../burst.ts";
import type { Cluster } from "../cluster/cluster.ts";
import { http } from "../cluster/http-bytes.ts";
import type { Service } from "../cluster/service.ts";
import type { Episode } from "./episode.ts";
import { pendingReply } from "./provider-answers.ts";

const group = "23, 24: the provider answers about another submission, or with a new status";

const mismatchedState = JSON.stringify({
  reference: "kyc_foreign",
  userReference: "usr_foreign",
  status: "approved",
  cardAccountId: "acct_foreign",
  revision: 1,
  updatedAt: new Date().toISOString(),
});
const mismatched = { effect: true, answer: http(200, mismatchedState) };

/** One client receives the reasons. The other gets no response: a worker reads the reasons from the provider. */
const declined = (title: string, tags: string, expected: object): Episode => ({
  number: 24,
  title,
  group,
  async run(cluster, load) {
    const tag = `${tags}+watch-list-match`;
    const service = await cluster.sharedService();
    await burst(
      cluster,
      load,
      async (submission) => {
        expect(await cluster.submit(service, submission)).toMatchObject(expected);
        const lost = cluster.newSubmission(tag);
        service.provider.plan(lost.email, { put: [{ effect: true, answer: "reset" }] });
        expect(await cluster.submit(service, lost)).toMatchObject(pendingReply);
      },
      tag,
    );
  },
});

/** Faults 23, 24 and 26: well-formed responses that must not be trusted. */
export const providerLies: Episode[] = [
  {
    number: 23,
    title: "a KYC response about another reference",
    group,
    async run(cluster, load) {
      const service = await cluster.sharedService();
      await burst(cluster, load, async (submission) => {
        service.provider.plan(submission.email, { put: [mismatched], ask: [mismatched] });
        expect(await cluster.submit(service, submission)).toMatchObject(pendingReply);
        expect(await cluster.submit(service, submission)).toMatchObject(pendingReply);
      });
      await until(() => service.output().includes("provider_answer_mismatched"));
    },
  },
  {
    number: 23,
    title: "a card of another reference",
    group,
    async run(cluster) {
      const service = await cluster.sharedService();
      const submission = cluster.newSubmission();
      const { body: reply } = await cluster.submit(service, submission);
      const { executions } = await cluster.providerLedger();
      const execution = executions.find(({ reference }) => reference === reply.kycRecordId);
      const userReference = execution?.userReference ?? "";
      expect(await listStatus(cluster, service, submission.memberId)).toBe(200);
      const page = { page: 1, pageSize: 20, total: 1, totalPages: 1 };
      const theirs = { cardId: "card_1", status: "active", userReference: "usr_foreign" };
      const body = JSON.stringify({ userReference, ...page, cards: [theirs], items: [theirs] });
      service.provider.plan("cards", { ask: [{ effect: false, answer: http(200, body) }] });
      expect(await listStatus(cluster, service, submission.memberId)).toBe(502);
    },
  },
  {
    number: 24,
    title: "a new subStatus",
    group,
    async run(cluster, load) {
      const service = await cluster.sharedService();
      const unmapped = { status: 200, body: { status: null, subStatus: "manual_review" } };
      await burst(
        cluster,
        load,
        async (submission) => expect(await cluster.submit(service, submission)).toMatchObject(unmapped),
        "new-status",
      );
    },
  },
  declined("a refusal with reasons", "document-expired+selfie-mismatch", { status: 422 }),
  declined("a rejection with reasons", "rejected+document-expired", { body: { status: "REJECTED" } }),
  {
    number: 26,
    title: "redirect to an internal host",
    async run(cluster, load) {
      const visits: string[] = [];
      const internal = createServer((request, response) => {
        visits.push(request.url ?? "");
        response.end("{}");
      });
      await new Promise<void>((resolve) => internal.listen(0, "127.0.0.1", resolve));
      const location = `http://127.0.0.1:${(internal.address() as AddressInfo).port}/secrets`;
      const service = await cluster.startService({ run: "all" });
      await burst(cluster, load, async (submission) => {
        const redirect = (status: number) => ({ effect: false, answer: http(status, "", { location }) });
        service.provider.plan(submission.email, { put: [redirect(307)], ask: [redirect(302)] });
        expect(await cluster.submit(service, submission)).toMatchObject(pendingReply);
      });
      await until(() => service.provider.seen.some(({ method }) => method === "GET"));
      expect(visits).toEqual([]);
      internal.close();
    },
  },
];

async function listStatus({ keys }: Cluster, { url }: Service, memberId: string): Promise<number> {
  const headers = { authorization: `Bearer ${keys.first}` };
  return (await fetch(`${url}/openapi/v1/cards/list?memberId=${memberId}`, { headers })).status;
}
