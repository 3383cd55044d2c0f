import { newSubmission, startTestService } from "@cardbridge/api/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type * as source from "../../src/index.ts";
import { errorOf } from "../support/error-of.ts";

/* Tests the example of the README with the built package. It must accept only an approval as an approval. */
const load = (path: string) => import(new URL(`../../${path}`, import.meta.url).href);
const { createClient }: typeof source = await load("dist/index.js");
const { onboard } = await load("examples/onboard.mjs");

let service: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

/** service.test.ts covers uploads. */
const files = { upload: async () => ({ url: "https://files.example.com/1" }) };
const client = () => ({ ...createClient({ baseUrl: service.url, apiKey: service.caller().key }), files });
const personOf = (tags: string) => {
  const { frontImageUrl, selfieImageUrl, supportingDocuments, ...person } = newSubmission(tags);
  return person;
};
const noCorrection = () => Promise.reject(new Error("the example requested a correction"));

describe("onboard", () => {
  it("returns the card of an approved person", async () => {
    const person = personOf("approved");
    expect(await onboard(client(), person, {}, noCorrection)).toMatchObject({ status: "active" });
  });

  it("returns no card for an approved person without a card", async () => {
    expect(await onboard(client(), personOf("no-account"), {}, noCorrection)).toBeUndefined();
  });

  it("requests corrections until the person is approved", async () => {
    const asked: string[] = [];
    const correct = async (reasons: { code?: string; rule?: string }[]) => {
      asked.push(...reasons.map(({ rule, code }) => rule ?? code ?? ""));
      return { documentNumber: "E7654321" };
    };
    const person = personOf("document-unreadable+once+approved");
    expect(await onboard(client(), person, {}, correct)).toMatchObject({ status: "active" });
    expect(asked).toEqual(["DOCUMENT_UNREADABLE"]);
  });

  it.each([
    ["rejected without reasons", "rejected", "REJECTED"],
    ["refused without reasons", "refused", "KYC_REFUSED"],
    ["refused for a reason that only compliance may see", "sanctions-match", "KYC_REFUSED"],
    ["refused with a final reason", "document-expired+final", "KYC_REFUSED"],
  ])("throws for a person who is %s", async (_name, tags, decision) => {
    const error = await errorOf(onboard(client(), personOf(tags), {}, noCorrection));
    expect((error as Error).message).toBe(`Not approved: ${decision}`);
  });

  it("throws for a person whose earlier submission is in review", async () => {
    const submission = newSubmission("pending");
    await client().kyc.submit(submission);
    const { frontImageUrl, selfieImageUrl, supportingDocuments, ...person } = submission;
    const error = await errorOf(onboard(client(), { ...person, name: "Another Name" }, {}, noCorrection));
    expect((error as Error).message).toBe("Not approved: KYC_ALREADY_SUBMITTED");
  });

  it.each([
    ["rejected", async () => ({ status: "REJECTED", code: "KYC_SUBMITTED", reasons: [] })],
    ["refused after a wait", async () => ({ status: null, code: "KYC_REFUSED", reasons: [] })],
    [
      "in a status that the client does not know",
      async () => ({ status: "ON_HOLD", code: "NEW", reasons: [] }),
    ],
  ])("never returns an older card of a person who is %s", async (_name, waitForDecision) => {
    const stub = {
      files,
      kyc: {
        requirements: async () => ({ fields: [] }),
        validate: async () => ({ valid: true, errors: [] }),
        submit: async () => ({ kycRecordId: "kyc_1" }),
        waitForDecision,
      },
      cards: { list: async () => ({ items: [{ cardId: "card_old" }] }), get: async (card: object) => card },
    };
    await expect(onboard(stub, personOf("approved"), {}, noCorrection)).rejects.toThrow("Not approved");
  });
});
