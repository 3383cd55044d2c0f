import { type ForkedFake, forkFake } from "@cardbridge/airwallex-fake";
import type { ProviderKycRequest } from "@cardbridge/domain";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { newKycRequest } from "../../src/conformance/inputs.ts";
import { connectAirwallex, dyingAt, resolveSubmission } from "../support/airwallex.ts";

let fake: ForkedFake;
beforeAll(async () => {
  fake = await forkFake();
});
afterEach(() => fake.reset());
afterAll(() => fake.close());

const newDocument = { documentNumber: "E7654321Z", documentExpiryDate: "2036-05-01" };
const moved = { ...newDocument, phoneNumber: "81234567890" };
const ready = { outcome: "answered", subStatus: "READY", status: "APPROVED" };

/** An approved user, and a renewal with these changes. */
async function approved(changes: Partial<ProviderKycRequest["applicant"]> = newDocument) {
  const connected = connectAirwallex(fake);
  const first = connected.newRequest();
  expect(await connected.provider.submitKyc(first)).toMatchObject(ready);
  const id = (await first.steps.done("cardholder"))?.id ?? "";
  const { reference, steps: _, ...again } = newKycRequest(first.applicant.email);
  const renewal: ProviderKycRequest = {
    ...again,
    reference,
    userReference: first.userReference,
    applicant: { ...first.applicant, ...changes },
    steps: connected.stepsOf(first.userReference),
    renews: first.reference,
  };
  return { ...connected, first, renewal, id };
}

const updates = async () => (await fake.requests()).filter(({ path }) => path.endsWith("/update"));
const updating = { method: "POST", path: "/api/v1/issuing/cardholders/" };
const cardholders = async () => (await fake.effects()).cardholders;

describe("a renewal", () => {
  it("uploads the images and updates the user's cardholder, which keeps its id and its e-mail", async () => {
    const { provider, renewal, id } = await approved();
    expect(await provider.submitKyc(renewal)).toEqual({ ...ready, cardAccountId: id, revision: null });
    const [update, ...others] = await updates();
    expect(others).toEqual([]);
    expect(Object.keys(update?.body ?? {}).toSorted()).toEqual(["individual", "mobile_number"]);
    expect(update).toMatchObject({ path: `/api/v1/issuing/cardholders/${id}/update`, status: 200 });
    const { files } = await fake.effects();
    expect(files).toHaveLength(2);
    expect(await cardholders()).toMatchObject([
      {
        cardholder_id: id,
        email: renewal.applicant.email,
        individual: {
          identification: {
            number: newDocument.documentNumber,
            expiry_date: newDocument.documentExpiryDate,
            document_front_file_id: files[1]?.file_id,
          },
        },
      },
    ]);
  });

  it("has no verdict before its update: the earlier approval is not taken for one", async () => {
    const { provider, renewal } = await approved();
    expect(await provider.findKyc(renewal)).toEqual({ outcome: "not-found" });
    await fake.fail({ kind: "reset", ...updating });
    expect(await provider.submitKyc(renewal)).toMatchObject({ outcome: "unknown" });
    expect(await provider.findKyc(renewal)).toEqual({ outcome: "not-found" });
  });

  it("is in review if Airwallex reviews the update, and later has its own requests and decision", async () => {
    const { provider, renewal, id } = await approved();
    await fake.admin("PUT", "/settings", { updatedStatus: "PENDING" });
    const pending = { subStatus: "PENDING", status: "PENDING_APPROVAL", cardAccountId: null };
    expect(await provider.submitKyc(renewal)).toMatchObject(pending);
    await fake.admin("POST", "/rfis", { questions: [{ key: "ID_COPY", sources: [{ id }] }] });
    expect(await provider.findKyc(renewal)).toMatchObject({
      ...pending,
      requests: [{ documentType: "ID_COPY" }],
    });
    await fake.admin("PUT", `/cardholders/${id}`, { status: "READY" });
    expect(await provider.findKyc(renewal)).toMatchObject({ ...ready, cardAccountId: id });
  });

  it.each(["DISABLED", "DELETED"])(
    "of a cardholder that is %s is rejected without an update",
    async (status) => {
      const { provider, renewal, id } = await approved();
      await fake.admin("PUT", `/cardholders/${id}`, { status });
      expect(await provider.submitKyc(renewal)).toMatchObject({ status: "REJECTED", subStatus: status });
      expect(await updates()).toEqual([]);
    },
  );

  it.each([
    ["the data", { code: "invalid_argument", source: "individual.identification.number" }, "/documentNumber"],
    ["the mobile number", { code: "bad_request", source: "" }, "/phoneNumber"],
  ])("is refused if Airwallex refuses %s, and another one is possible", async (_, error, field) => {
    const { provider, renewal, stepsOf } = await approved();
    await fake.fail({ kind: "answer", ...updating, status: 400, body: { ...error, message: "…" } });
    expect(await provider.submitKyc(renewal)).toEqual({
      outcome: "refused",
      explanation: { reasons: [{ code: "OTHER", field }], final: false },
    });
    const next = { ...renewal, reference: "kyc_next", steps: stepsOf(renewal.userReference) };
    expect(await provider.submitKyc(next)).toMatchObject(ready);
  });

  it("of a user without a cardholder here creates one", async () => {
    const { provider, newRequest } = connectAirwallex(fake);
    expect(await provider.submitKyc({ ...newRequest(), renews: "kyc_imported" })).toMatchObject(ready);
    expect(await cardholders()).toHaveLength(1);
  });
});

describe("a renewal whose response is lost", () => {
  it.each([
    ["what Airwallex shows changed, is found", moved, 1],
    ["what Airwallex shows is the same, is sent again", newDocument, 2],
  ])("after its effect, and %s", async (_, changes, times) => {
    const { provider, renewal, id } = await approved(changes);
    await fake.fail({ kind: "reset", ...updating, after: true });
    expect(await provider.submitKyc(renewal)).toMatchObject({ outcome: "unknown" });
    expect(await resolveSubmission(provider, renewal)).toMatchObject({ ...ready, cardAccountId: id });
    expect(await updates()).toHaveLength(times);
    const bodies = (await updates()).map(({ body }) => JSON.stringify(body));
    expect(new Set(bodies).size).toBe(1);
  });

  it.each([
    ["before its effect", { kind: "reset" }],
    ["and answered with a 500", { kind: "html", status: 500 }],
    ["and answered about another cardholder", { kind: "merge", fields: { cardholder_id: "another" } }],
  ])("%s is resolved with one state", async (_, fault) => {
    const { provider, renewal, id } = await approved(moved);
    await fake.fail({ ...updating, ...fault });
    expect(await provider.submitKyc(renewal)).toMatchObject({ outcome: "unknown" });
    expect(await resolveSubmission(provider, renewal)).toMatchObject({ ...ready, cardAccountId: id });
    expect(await cardholders()).toMatchObject([{ cardholder_id: id, mobile_number: "+6581234567890" }]);
  });

  it("keeps one cardholder with its data, wherever the process crashes between two calls", async () => {
    for (let count = 1; count <= 10; count += 1) {
      const { provider, renewal, id } = await approved();
      const dying = { ...renewal, steps: dyingAt(count, renewal.steps) };
      await provider.submitKyc(dying).catch(() => undefined);
      expect(await resolveSubmission(provider, renewal), `at call ${count}`).toMatchObject(ready);
      const mine = (await cardholders()).filter(({ email }) => email === renewal.applicant.email);
      const identification = { number: newDocument.documentNumber };
      expect(mine, `at call ${count}`).toMatchObject([{ cardholder_id: id, individual: { identification } }]);
    }
  });
});
