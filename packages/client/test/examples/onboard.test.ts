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
const submitted = async (tags: string) => {
  const submission = newSubmission(tags);
  await client().kyc.submit(submission);
  return submission;
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
    ["rejected without reasons", "rejected", "rejected"],
    ["refused without reasons", "refused", "refused"],
    ["refused for a reason that only compliance may see", "sanctions-match", "refused"],
    ["refused with a final reason", "document-expired+final", "refused"],
  ])("throws for a person who is %s", async (_name, tags, decision) => {
    const error = await errorOf(onboard(client(), personOf(tags), {}, noCorrection));
    expect((error as Error).message).toBe(`Not approved: ${decision}`);
  });

  it.each(["approved", "pending"])(
    "throws for a person whose earlier submission with other data is %s",
    async (tags) => {
      const { frontImageUrl, selfieImageUrl, supportingDocuments, ...person } = await submitted(tags);
      const error = await errorOf(onboard(client(), { ...person, name: "Another Name" }, {}, noCorrection));
      expect((error as Error).message).toBe("Not approved: conflict");
    },
  );

  it("throws for a person whose e-mail belongs to another one", async () => {
    const { email } = await submitted("approved");
    const error = await errorOf(onboard(client(), { ...personOf("approved"), email }, {}, noCorrection));
    expect(error).toMatchObject({ code: "USER_IDENTITY_CONFLICT" });
  });

  it("requests the correction of an invalid submission", async () => {
    const person = personOf("approved");
    const asked: string[] = [];
    const correct = async (reasons: { path: string }[]) => {
      asked.push(...reasons.map(({ path }) => path));
      return { phoneNumber: person.phoneNumber };
    };
    expect(await onboard(client(), { ...person, phoneNumber: "1" }, {}, correct)).toMatchObject({
      status: "active",
    });
    expect(asked).toEqual(["/phoneNumber"]);
  });

  it.each(["rejected", "refused", "pending", "conflict", "a decision of a later version"])(
    "never returns an older card of a person who is %s",
    async (decision) => {
      const stub = {
        files,
        kyc: {
          requirements: async () => ({ fields: [] }),
          validate: async () => ({ submission: "new", errors: [] }),
          decide: async () => ({ decision, reasons: [], final: false, record: { kycRecordId: "kyc_1" } }),
        },
        cards: { list: async () => ({ items: [{ cardId: "card_old" }] }) },
      };
      await expect(onboard(stub, personOf("approved"), {}, noCorrection)).rejects.toThrow("Not approved");
    },
  );
});
