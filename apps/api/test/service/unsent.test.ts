import type { CardProvider } from "@cardbridge/domain";
import { describe, expect, it, onTestFinished } from "vitest";
import { providerConnections } from "../../src/admission/slots.ts";
import { restList, restSubmit } from "../support/call.ts";
import { newSubmission, startTestService } from "../support/test-service.ts";
import { until } from "../support/until.ts";

/** The slots of one platform while no other platform uses any. */
const limit = providerConnections / 2;

/** A service whose provider delays every call until `answer`. All slots of the demo platform are in use. */
async function aSlowProvider(env: Record<string, string> = {}) {
  const held = Promise.withResolvers<void>();
  let waiting = 0;
  const hold = (provider: CardProvider): CardProvider => ({
    ...provider,
    async submitKyc(request) {
      waiting += 1;
      await held.promise;
      return provider.submitKyc(request);
    },
  });
  const service = await startTestService({
    env: { RUN: "api", ...env },
    overrides: { provider: hold },
  });
  const submissions = Array.from({ length: limit }, () => newSubmission());
  const sent = submissions.map((submission) => restSubmit(service.caller(), submission));
  await expect.poll(() => waiting, { timeout: 20_000 }).toBe(limit);
  const answer = async () => {
    held.resolve();
    await Promise.all(sent);
  };
  onTestFinished(async () => {
    await answer();
    await service.stop();
  });
  return { service, first: submissions[0] ?? newSubmission(), answer };
}

describe("a platform that has no slot for the provider", () => {
  it("gets its submission stored at once, and a worker sends it once", async () => {
    const { service, answer } = await aSlowProvider();
    const submission = newSubmission();
    const accepted = await restSubmit(service.caller(), submission);
    expect(accepted).toMatchObject({ status: 202, body: { code: "KYC_ACCEPTED", status: "PENDING" } });
    await answer();
    const worker = await startTestService({
      databaseUrl: service.serviceUrl,
      providerUrl: service.env.PROVIDER_URL,
      env: { RUN: "worker" },
    });
    onTestFinished(worker.stop);
    const { kycRecordId } = accepted.body as { kycRecordId: string };
    const sent = async () =>
      (await service.ledger()).executions.filter(({ reference }) => reference === kycRecordId);
    await until(async () => (await sent()).length > 0);
    expect(await restSubmit(service.caller(), submission)).toMatchObject({ body: { kycRecordId } });
    expect(await sent()).toHaveLength(1);
  });

  it("gets replays and conflicts, and 503 for a list after a short wait", async () => {
    const { service, first } = await aSlowProvider();
    expect(await restSubmit(service.caller(), first)).toMatchObject({ status: 202 });
    expect(await restSubmit(service.caller(), { ...first, name: "SOMEBODY ELSE" })).toMatchObject({
      status: 409,
    });
    expect(await restList(service.caller(), { memberId: first.memberId })).toMatchObject({
      status: 503,
      body: { code: "SERVICE_UNAVAILABLE" },
    });
  });

  it("is rejected over its limit of unsent submissions, and nothing is written", async () => {
    const { service } = await aSlowProvider({ UNSENT_SUBMISSIONS: "1" });
    expect((await restSubmit(service.caller(), newSubmission())).status).toBe(202);
    const refused = newSubmission();
    const answer = await restSubmit(service.caller(), refused);
    expect(answer).toMatchObject({ status: 429, body: { code: "RATE_LIMITED" } });
    expect(answer.headers.get("retry-after")).toBe("5");
    expect(await restList(service.caller(), { memberId: refused.memberId })).toMatchObject({ status: 404 });
  });
});
