import { expect } from "vitest";
import { burst } from "../burst.ts";
import { http } from "../cluster/http-bytes.ts";
import type { ProviderFault } from "../cluster/provider-proxy.ts";
import { shortDeadline } from "../cluster/settings.ts";
import type { Episode } from "./episode.ts";

/** What a client receives while the outcome is unknown. */
export const pendingReply = {
  status: 202,
  body: { success: true, code: "KYC_ACCEPTED", status: "PENDING" },
};

/** The groups of these faults make too few calls to open the breaker of a process. */
export const failureGroup = "17 to 21: the provider fails";

type Fault = Omit<ProviderFault, "effect">;

interface Answering {
  /** Whether the provider receives the call; when absent it does in half of the cases. */
  effect?: boolean;
  env?: Record<string, string>;
}

/** The first submission of each applicant fails. The client receives PENDING. */
const answering = (
  number: number,
  title: string,
  fault: Fault,
  { effect, env }: Answering = {},
): Episode => ({
  number,
  title,
  group: number < 22 ? failureGroup : "22, 25: the provider sends invalid responses",
  async run(cluster, load) {
    const service = await cluster.sharedService(env);
    let met = 0;
    const before = () => {
      met += 1;
    };
    await burst(cluster, load, async (submission) => {
      const hasEffect = effect ?? cluster.random() < 0.5;
      service.provider.plan(submission.email, { put: [{ ...fault, effect: hasEffect, before }] });
      expect(await cluster.submit(service, submission)).toMatchObject(pendingReply);
    });
    expect(met).toBe(load.size);
  },
});

const answered = (number: number, title: string, answer: Fault["answer"]) =>
  answering(number, title, { answer });

const approved = JSON.stringify({
  reference: "kyc_slow",
  userReference: "usr_slow",
  status: "approved",
  cardAccountId: "acct_foreign",
  revision: 1,
  updatedAt: new Date().toISOString(),
});
const slowly = { ...http(200, approved), everyMs: 1_000 };
const html = "<!doctype html><title>Welcome</title>";

/** Faults 17 to 19, 21, 22 and 25: late, failed and invalid responses from the provider. */
export const providerAnswers: Episode[] = [
  answering(17, "timeout, effect happened", { answer: "never" }, { effect: true, env: shortDeadline }),
  answering(18, "timeout, no effect", { answer: "never" }, { effect: false, env: shortDeadline }),
  ...[500, 502, 503, 504].map((status) => answered(19, `${status}`, http(status, "{}"))),
  answered(21, "409 in progress", http(409, JSON.stringify({ error: { code: "in_progress" } }))),
  answered(22, "200 with HTML", http(200, html, { "content-type": "text/html" })),
  answered(22, "200, truncated", http(200, '{"reference":"kyc', {}, 400)),
  answered(22, "200, empty", http(200, "")),
  answered(22, "200 with 100 MB announced", http(200, "{", {}, 104_857_600)),
  answered(22, "200 with more than the cap", http(200, JSON.stringify("x".repeat(3_000_000)))),
  answered(22, "200 with wrong types", http(200, JSON.stringify({ reference: 1, status: [] }))),
  answered(22, "a broken connection", "reset"),
  answering(25, "one byte per second", { answer: slowly }, { effect: true, env: shortDeadline }),
];
