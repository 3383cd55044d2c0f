import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { restSubmit } from "./support/call.ts";
import { newSubmission, startWorld } from "./support/world.ts";

/** Submissions whose outcome is not known, and the worker that settles them, over real parts. */
let world: Awaited<ReturnType<typeof startWorld>>;
beforeAll(async () => {
  world = await startWorld({ env: { RUN: "all", PROVIDER_KYC_TIMEOUT_MS: "1000" } });
});
afterAll(() => world.stop());

interface Result {
  kycRecordId: string;
  code: string;
  status: string | null;
}

async function untilSettled(body: unknown, status: string): Promise<Result> {
  const result = async () => (await restSubmit(world.caller(), body)).body as Result;
  await expect.poll(async () => (await result()).status, { timeout: 60_000, interval: 250 }).toBe(status);
  return result();
}

describe.concurrent("a submission that ends in", () => {
  it.each([
    ["error-500", ["error-500", "executed"]],
    ["garbage", ["garbage"]],
    ["timeout-after-effect", ["timeout-after-effect"]],
    ["timeout-before-effect", ["timeout-before-effect", "executed"]],
  ])(
    "%s is settled with one effect: asked first, and sent again only when it was not found",
    async (tag, outcomes) => {
      const body = newSubmission(tag);
      const first = await restSubmit(world.caller(), body);
      expect(first).toMatchObject({ status: 202, body: { status: "PENDING" } });
      const { kycRecordId } = first.body as Result;

      expect(await untilSettled(body, "APPROVED")).toMatchObject({ kycRecordId, code: "KYC_SUBMITTED" });
      const { executions, attempts } = await world.ledger();
      expect(executions.filter(({ reference }) => reference === kycRecordId)).toHaveLength(1);
      expect(
        attempts.filter(({ reference }) => reference === kycRecordId).map(({ outcome }) => outcome),
      ).toEqual(outcomes);
    },
  );

  it("an answer about somebody else stays PENDING and is never shown", async () => {
    const body = newSubmission("foreign");
    await restSubmit(world.caller(), body);
    await expect
      .poll(() => world.lines.filter((line) => line.includes("provider_foreign_answer")).length, {
        timeout: 30_000,
      })
      .toBeGreaterThan(1);
    expect(await restSubmit(world.caller(), body)).toMatchObject({
      status: 202,
      body: { status: "PENDING" },
    });
  });
});

it("the provider's later decision is learned by asking", async () => {
  const body = newSubmission("none");
  expect(await restSubmit(world.caller(), body)).toMatchObject({
    status: 200,
    body: { status: "PENDING_APPROVAL" },
  });
  expect(await untilSettled(body, "APPROVED")).toMatchObject({ cardAccountId: expect.stringMatching(/./) });
});
