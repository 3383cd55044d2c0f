import type { CardProvider } from "@cardbridge/domain";
import { expect, it, onTestFinished } from "vitest";
import { providerConnections } from "../../src/admission/slots.ts";
import { restList, restSubmit } from "../support/call.ts";
import { newSubmission, startTestService } from "../support/test-service.ts";
import { until } from "../support/until.ts";

/** The slots of one platform while no other platform uses any. */
const limit = providerConnections / 2;

it("a platform that has no slot for the provider gets its submissions stored, up to its limit, and a worker sends each once", async () => {
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
    env: { RUN: "api", UNSENT_SUBMISSIONS: "1" },
    overrides: { provider: hold },
  });
  onTestFinished(service.stop);
  const [first = newSubmission(), ...others] = Array.from({ length: limit }, () => newSubmission());
  const sent = [first, ...others].map((submission) => restSubmit(service.caller(), submission));
  onTestFinished(() => held.resolve());
  await expect.poll(() => waiting, { timeout: 20_000 }).toBe(limit);

  const submission = newSubmission();
  const accepted = await restSubmit(service.caller(), submission);
  expect(accepted).toMatchObject({ status: 202, body: { code: "KYC_ACCEPTED", status: "PENDING" } });
  // Replays and conflicts need no slot, and a list waits for one.
  expect(await restSubmit(service.caller(), first)).toMatchObject({ status: 202 });
  const conflict = { ...first, name: "SOMEBODY ELSE" };
  expect(await restSubmit(service.caller(), conflict)).toMatchObject({ status: 409 });
  expect(await restList(service.caller(), { memberId: first.memberId })).toMatchObject({
    status: 503,
    body: { code: "SERVICE_UNAVAILABLE" },
  });
  // Nothing is written over the limit of unsent submissions.
  const refused = newSubmission();
  const answer = await restSubmit(service.caller(), refused);
  expect(answer).toMatchObject({ status: 429, body: { code: "RATE_LIMITED" } });
  expect(answer.headers.get("retry-after")).toBe("5");
  expect(await restList(service.caller(), { memberId: refused.memberId })).toMatchObject({ status: 404 });

  held.resolve();
  await Promise.all(sent);
  const worker = await startTestService({
    databaseUrl: service.serviceUrl,
    providerUrl: service.env.PROVIDER_URL,
    env: { RUN: "worker" },
  });
  onTestFinished(worker.stop);
  const { kycRecordId } = accepted.body as { kycRecordId: string };
  const executed = async () =>
    (await service.ledger()).executions.filter(({ reference }) => reference === kycRecordId);
  await until(async () => (await executed()).length > 0);
  expect(await restSubmit(service.caller(), submission)).toMatchObject({ body: { kycRecordId } });
  expect(await executed()).toHaveLength(1);
});
