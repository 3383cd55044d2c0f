import { newSubmission, startTestService } from "@cardbridge/api/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import type * as source from "../../src/index.ts";

/* Tests the example of the README with the built package. It must accept only an approval as an approval. */
const load = (path: string) => import(new URL(`../../${path}`, import.meta.url).href);
const { createClient }: typeof source = await load("dist/index.js");
const { onboard } = await load("examples/onboard.mjs");

/** service.test.ts covers uploads. */
const files = { upload: async () => ({ url: "https://files.example.com/1" }) };
const noCorrection = () => Promise.reject(new Error("the example requested a correction"));

function personOf(tags: string) {
  const { frontImageUrl, selfieImageUrl, supportingDocuments, ...person } = newSubmission(tags);
  return person;
}

it("onboards persons of a service: it requests corrections, and returns the card of an approved person", async () => {
  const service = await startTestService();
  onTestFinished(() => service.stop());
  const client = { ...createClient({ baseUrl: service.url, apiKey: service.caller().key }), files };
  const asked: string[] = [];
  const person = personOf("document-unreadable+once+approved");
  const correct = async (reasons: { path?: string; code?: string }[]) => {
    asked.push(...reasons.map(({ path, code }) => code ?? path ?? ""));
    return { documentNumber: "E7654321", phoneNumber: person.phoneNumber };
  };
  const card = await onboard(client, { ...person, phoneNumber: "1" }, {}, correct);
  expect(card).toMatchObject({ status: "active" });
  expect(asked).toEqual(["/phoneNumber", "DOCUMENT_UNREADABLE"]);
  expect(await onboard(client, personOf("no-account"), {}, noCorrection)).toBeUndefined();
  const changed = { ...person, name: "Another Name" };
  await expect(onboard(client, changed, {}, noCorrection)).rejects.toThrow("Not approved: conflict");
  const restricted = onboard(client, personOf("sanctions-match"), {}, noCorrection);
  await expect(restricted).rejects.toThrow("Not approved: refused");
});

describe("a person without an approval, who has an older card,", () => {
  const decided = (decision: string, reasons: object[], final: boolean) => ({
    files,
    kyc: {
      requirements: async () => ({ fields: [] }),
      validate: async () => ({ submission: "new", errors: [] }),
      decide: async () => ({ decision, reasons, final, record: { kycRecordId: "kyc_1" } }),
    },
    cards: { list: async () => ({ items: [{ cardId: "card_old" }] }) },
  });

  it.each([
    { decision: "rejected", reasons: [], final: false },
    { decision: "refused", reasons: [], final: false },
    { decision: "refused", reasons: [{ code: "DOCUMENT_EXPIRED" }], final: true },
    { decision: "pending", reasons: [], final: false },
    { decision: "action-required", reasons: [], final: false },
    { decision: "conflict", reasons: [], final: false },
    { decision: "a decision of a later version", reasons: [], final: false },
  ])("gets no card: $decision, final: $final", async ({ decision, reasons, final }) => {
    const call = onboard(decided(decision, reasons, final), personOf("approved"), {}, noCorrection);
    await expect(call).rejects.toThrow(`Not approved: ${decision}`);
  });
});
