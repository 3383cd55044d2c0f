import { expect } from "vitest";
import { until } from "../../../support/until.ts";
import { burst } from "../burst.ts";
import { answerUntilDecided } from "../clients/answer.ts";
import {
  asksStatement,
  statementOf,
  submitAndAnswer,
  submitAsked,
  untilClosed,
} from "../clients/answering.ts";
import type { Submission } from "../clients/marked-submission.ts";
import { actAtProvider } from "../clients/provider-act.ts";
import { sendEvent } from "../clients/provider-event.ts";
import type { Cluster } from "../cluster/cluster.ts";
import { http } from "../cluster/http-bytes.ts";
import type { ProviderFault } from "../cluster/provider-proxy.ts";
import { type Service, wasKilled } from "../cluster/service.ts";
import { shortDeadline } from "../cluster/settings.ts";
import type { Episode } from "./episode.ts";

const number = 48;
const group = "48: a document request is answered";
const workerGroup = "48: kill -9 of a worker that sends an answer";
const storeGroup = "48: kill -9 while a request or an answer is stored";

/** The statements of the transactions of an answer. */
const statements = {
  "the request": 'insert into "document_requests"',
  "the answer": '"answered_at" = clock_timestamp()',
  "the claim": '"attempted_at" = clock_timestamp()',
  "the provider's reply": '"sent_at" = clock_timestamp()',
};
type AnswerTransaction = Exclude<keyof typeof statements, "the request">;

/** Runs clients of a process that is the only one that sends, until the provider has decided after their answers. */
async function whileSending(
  cluster: Cluster,
  act: (service: Service) => Promise<void>,
  env: Record<string, string> = {},
): Promise<void> {
  // Every change has a webhook.
  await cluster.subscribe();
  const service = await cluster.startService({ run: "all", env });
  await act(service);
  await until(async () => {
    await cluster.expireDelays();
    return (await cluster.query("select from document_requests where status = 'answered'")).length === 0;
  });
  expect(await service.end("SIGTERM")).toBe(0);
}

/** The provider's report of the first request of a submission. */
async function reportOf(cluster: Cluster, kycRecordId: string) {
  const { executions } = await cluster.providerLedger();
  const execution = executions.find(({ reference }) => reference === kycRecordId);
  const { answers: _, ...request } = execution?.requests[0] ?? { answers: [] };
  return { reference: kycRecordId, userReference: execution?.userReference ?? "", request };
}

const repeated: Episode = {
  number,
  title: "equal answers, other files, and another platform's key",
  group,
  run: (cluster, load) =>
    whileSending(cluster, async (service) => {
      const answerAll = async (submission: Submission) => {
        const asked = await submitAsked(cluster, service, submission);
        const [files, others] = [statementOf(submission), statementOf(submission, "other")];
        const answer = () => cluster.answer(service, asked, files);
        for (const { status } of await Promise.all([answer(), answer(), answer(), answer()]))
          expect(status).toBe(200);
        expect(await cluster.answer(service, asked, others)).toMatchObject({
          status: 409,
          body: { code: "DOCUMENT_REQUEST_CONFLICT" },
        });
        for (const given of [files, others]) {
          const foreign = await cluster.answer(service, asked, given, { key: cluster.keys.second });
          expect(foreign).toMatchObject({ status: 404, body: { code: "KYC_RECORD_NOT_FOUND" } });
        }
        await untilClosed(cluster, asked);
        expect(await answer()).toMatchObject({ status: 200, body: { status: "closed" } });
        expect(await cluster.answer(service, asked, others)).toMatchObject({ status: 409 });
      };
      await burst(cluster, load, answerAll, asksStatement);
    }),
};

const repeatedEvent: Episode = {
  number,
  title: "the event of a request before the result, twice, late, and after the decision",
  group,
  run: (cluster) =>
    whileSending(cluster, async (service) => {
      const submission = cluster.newSubmission(asksStatement);
      let asks: Awaited<ReturnType<typeof reportOf>> | undefined;
      const report = async () => asks && expect(await sendEvent(service.url, asks)).toBe(204);
      const after = async () => {
        const reference = (await cluster.providerLedger()).executions.at(-1)?.reference ?? "";
        asks = await reportOf(cluster, reference);
        await report();
      };
      service.provider.plan(submission.email, { put: [{ effect: true, after, answer: "pass" }] });
      const asked = await submitAsked(cluster, service, submission);
      await Promise.all([report(), report()]);
      const answered = await cluster.answer(service, asked, statementOf(submission));
      expect(answered).toMatchObject({ status: 200 });
      await report();
      await untilClosed(cluster, asked);
      await Promise.all([report(), report()]);
      expect(await cluster.requestsOf(service, asked.kycRecordId)).toMatchObject([{ status: "closed" }]);
    }),
};

const decidedFirst: Episode = {
  number,
  title: "the decision comes before the answer is sent",
  // Another process of the group would send the answer first.
  async run(cluster) {
    await cluster.subscribe();
    const service = await cluster.startService();
    const submission = cluster.newSubmission(asksStatement);
    const { kycRecordId } = await submitAndAnswer(cluster, service, submission);
    const { reference, userReference, request } = await reportOf(cluster, kycRecordId);
    await actAtProvider(cluster.sandboxUrl, { act: "reject", reference, userReference });
    const decision = { reference, userReference, status: "rejected", revision: 2 };
    expect(await sendEvent(service.url, decision)).toBe(204);
    expect(await sendEvent(service.url, { reference, userReference, request })).toBe(204);
    expect(await cluster.requestsOf(service, kycRecordId)).toMatchObject([
      { status: "closed", sentAt: null },
    ]);
  },
};

/** The sandbox's fault of the first answer. */
const unknownAnswer = (tag: "answer-timeout" | "answer-lost"): Episode => ({
  number,
  title: `${tag}: an answer that the provider never responds to`,
  group,
  run: (cluster, load) =>
    whileSending(
      cluster,
      (service) =>
        burst(
          cluster,
          load,
          (submission) => submitAndAnswer(cluster, service, submission),
          `${asksStatement}+${tag}`,
        ),
      shortDeadline,
    ),
});

const refused: Episode = {
  number,
  title: "answer-refused: the provider refuses the files, and gets others",
  group,
  run: (cluster, load) =>
    whileSending(cluster, async (service) => {
      const answerTwice = async (submission: Submission) => {
        const asked = await submitAndAnswer(cluster, service, submission);
        await until(async () => {
          await cluster.expireDelays();
          const [request] = await cluster.requestsOf(service, asked.kycRecordId);
          return request?.status === "open" && request.reason?.code === "DOCUMENT_UNREADABLE";
        });
        const sharper = await cluster.answer(service, asked, statementOf(submission, "sharper"));
        expect(sharper).toMatchObject({ status: 200 });
      };
      await burst(cluster, load, answerTwice, `${asksStatement}+answer-refused`);
    }),
};

const failedAnswer = (title: string, answer: ProviderFault["answer"]): Episode => ({
  number,
  title: `the provider's response to an answer is ${title}`,
  group,
  run: (cluster, load) =>
    whileSending(cluster, async (service) => {
      let met = 0;
      const before = () => {
        met += 1;
      };
      const answerWithFault = (submission: Submission) => {
        const fault = { effect: cluster.random() < 0.5, before, answer };
        service.provider.plan(submission.email, { answer: [fault] });
        return submitAndAnswer(cluster, service, submission);
      };
      await burst(cluster, load, answerWithFault, asksStatement);
      await until(() => met === load.size);
    }),
});

interface Answering {
  service: Service;
  size: number;
  fault: () => void;
}

/** Clients submit, then the fault begins, then they answer. */
async function answerDuring(cluster: Cluster, { service, size, fault }: Answering): Promise<void> {
  const submissions = Array.from({ length: size }, () => cluster.newSubmission(asksStatement));
  const all = await Promise.all(
    submissions.map(async (submission) => ({
      asked: await submitAsked(cluster, service, submission),
      files: statementOf(submission),
    })),
  );
  fault();
  await Promise.all(all.map(({ asked, files }) => cluster.answer(service, asked, files)));
}

/** Repeats the answers that the service did not accept, as clients do. */
async function retryAnswers(cluster: Cluster, service: Pick<Service, "url">): Promise<void> {
  const accepted = new Set(
    cluster.answers.filter(({ status }) => status === 200).map(({ documentRequestId }) => documentRequestId),
  );
  for (const one of cluster.answers.filter(({ documentRequestId }) => !accepted.has(documentRequestId))) {
    const reply = await answerUntilDecided(() => cluster.answer(service, one, one.files));
    expect(reply).toMatchObject({ status: 200 });
  }
}

type When = "before" | "after";

/** The service receives no response to the commit, and must find out whether it happened. */
const lostCommit = (of: AnswerTransaction, when: When): Episode => ({
  number,
  title: `the connection is lost ${when} the commit of ${of}`,
  group,
  run: (cluster, { size }) =>
    whileSending(cluster, async (service) => {
      let happened = false;
      const lose = () => {
        happened = true;
      };
      const fault = () => service.database.atCommit(statements[of], when, lose);
      await answerDuring(cluster, { service, size, fault });
      await until(() => happened);
      await retryAnswers(cluster, service);
    }),
});

const killedAtCommit = (of: AnswerTransaction, when: When): Episode => ({
  number,
  title: `kill -9 ${when} the commit of ${of}`,
  group: of === "the answer" ? storeGroup : workerGroup,
  async run(cluster, { size }) {
    await cluster.subscribe();
    const victim = await cluster.startService({ run: of === "the answer" ? "api" : "all" });
    const kill = () => victim.child.kill("SIGKILL");
    const fault = () => victim.database.atCommit(statements[of], when, kill);
    await answerDuring(cluster, { service: victim, size, fault });
    await until(() => wasKilled(victim));
    if (of === "the answer") await retryAnswers(cluster, await cluster.healthyService());
  },
});

const requestAtCommit = (when: When): Episode => ({
  number,
  title: `kill -9 ${when} the commit of the request`,
  group: storeGroup,
  async run(cluster) {
    await cluster.subscribe();
    const victim = await cluster.startService();
    const { body } = await cluster.submit(victim, cluster.newSubmission("pending"));
    const { userReference, reference } = await reportOf(cluster, body.kycRecordId ?? "");
    const documentType = "BANK_STATEMENT";
    await actAtProvider(cluster.sandboxUrl, { act: "ask-document", reference, userReference, documentType });
    const event = await reportOf(cluster, reference);
    victim.database.atCommit(statements["the request"], when, () => victim.child.kill("SIGKILL"));
    expect(await sendEvent(victim.url, event)).toBe(0);
    await until(() => wasKilled(victim));
    const { url } = await cluster.healthyService();
    expect(await sendEvent(url, event)).toBe(204);
    expect(await cluster.requestsOf({ url }, reference)).toHaveLength(1);
  },
});

const answerTransactions = ["the answer", "the claim", "the provider's reply"] as const;
const commits = (["before", "after"] as const).flatMap((when) => [
  requestAtCommit(when),
  ...answerTransactions.flatMap((of) => [killedAtCommit(of, when), lostCommit(of, when)]),
]);

/** Fault 48: requests of the provider for a document, and the answers to them. */
export const documentRequests: Episode[] = [
  repeated,
  repeatedEvent,
  decidedFirst,
  unknownAnswer("answer-timeout"),
  unknownAnswer("answer-lost"),
  refused,
  failedAnswer("503", http(503, "{}")),
  failedAnswer("invalid", http(200, "<!doctype html>")),
  failedAnswer("a broken connection", "reset"),
  ...commits,
];
