import { describe, expect, test } from "vitest";
import { scenarios } from "../../src/index.ts";
import { reasonTags } from "../../src/scenarios/reasons.ts";
import { outcomes, runSandbox, submitAndDisconnect } from "../support/sandbox.ts";
import { submission } from "../support/submission.ts";

const dayMs = 86_400_000;

describe("the scenarios", () => {
  test("are listed with unique ids", async () => {
    const sandbox = await runSandbox();
    const { body } = await sandbox.call("GET", "/_scenarios");
    expect(body.scenarios).toEqual(scenarios.map(({ id, description }) => ({ id, description })));
    expect(new Set(scenarios.map(({ id }) => id)).size).toBe(scenarios.length);
  });
});

describe("the status", () => {
  test("without a known last tag is approved after 5 s", async () => {
    const sandbox = await runSandbox();
    const references = ["kyc_1", "kyc_2", "kyc_3"];
    await sandbox.submit("kyc_1", submission());
    await sandbox.submit("kyc_2", submission("whatever"));
    await sandbox.submit("kyc_3", submission("approved+x"));
    sandbox.clock.now += 4_999;
    for (const reference of references)
      expect((await sandbox.get(reference)).body).toMatchObject({ status: "pending_approval", revision: 1 });
    sandbox.clock.now += 1;
    for (const reference of references)
      expect((await sandbox.get(reference)).body).toMatchObject({
        status: "approved",
        cardAccountId: expect.stringMatching(/^acct_[0-9a-f]{24}$/),
        revision: 2,
        updatedAt: "2026-01-31T12:00:05.000Z",
      });
    expect((await sandbox.list("userReference=usr_1")).body.total).toBe(3);
  });

  test("approved issues a card with the data of the applicant and the account", async () => {
    const sandbox = await runSandbox();
    const { cardAccountId } = (await sandbox.submit("kyc_1", submission("approved"))).body;
    expect((await sandbox.list("userReference=usr_1")).body.items).toEqual([
      {
        userReference: "usr_1",
        cardId: expect.stringMatching(/^card_[0-9a-f]{24}$/),
        status: "active",
        memberId: null,
        cardAccountId,
        type: "virtual",
        network: "visa",
        last4: expect.stringMatching(/^[0-9]{4}$/),
        expiryMonth: expect.any(Number),
        expiryYear: expect.any(Number),
        nameOnCard: "JANE DOE",
        currency: "USD",
        createdAt: "2026-01-31T12:00:00.000Z",
      },
    ]);
  });

  test.each([
    { tag: "approved", status: "approved", cards: 1 },
    { tag: "rejected", status: "rejected", cards: 0 },
    { tag: "pending", status: "pending_approval", cards: 0 },
    { tag: "not-submitted", status: "not_submitted", cards: 0 },
    { tag: "no-account", status: "approved", cards: 0 },
    { tag: "new-status", status: "manual_review", cards: 0 },
  ])("of the tag $tag is $status immediately and permanently", async ({ tag, status, cards }) => {
    const sandbox = await runSandbox();
    const first = await sandbox.submit("kyc_1", submission(tag));
    expect(first.body).toMatchObject({ status, revision: 1 });
    expect(first.body.cardAccountId === null).toBe(cards === 0);
    sandbox.clock.now += dayMs;
    expect((await sandbox.get("kyc_1")).body).toEqual(first.body);
    expect((await sandbox.list("userReference=usr_1")).body.total).toBe(cards);
  });
});

// The conformance tests of the provider contract cover timeouts, mismatched responses and repeated refusals.
describe("a fault", () => {
  test("slow: executes immediately and responds later", async () => {
    const sandbox = await runSandbox({ slowMs: 600_000 });
    expect(await submitAndDisconnect(sandbox, "kyc_1", submission("slow"))).toBe("disconnected");
    expect((await sandbox.get("kyc_1")).body).toMatchObject({ status: "pending_approval" });
    const fast = await runSandbox({ slowMs: 1 });
    expect((await fast.submit("kyc_1", submission("slow"))).body).toMatchObject({ revision: 1 });
  });

  test("error-500: fails the first PUT before it executes", async () => {
    const sandbox = await runSandbox();
    const { status, body } = await sandbox.submit("kyc_1", submission("error-500"));
    expect([status, body.error.code]).toEqual([500, "internal"]);
    expect((await sandbox.get("kyc_1")).status).toBe(404);
    sandbox.clock.now += 60_000;
    const second = await sandbox.submit("kyc_1", submission("error-500"));
    expect(second.body).toMatchObject({ status: "pending_approval", updatedAt: "2026-01-31T12:01:00.000Z" });
    expect(await outcomes(sandbox, "kyc_1")).toEqual(["error-500", "executed"]);
  });

  test("garbage: executes and responds with an HTML page", async () => {
    const sandbox = await runSandbox();
    const first = await sandbox.submit("kyc_1", submission("garbage"));
    expect(first).toMatchObject({ status: 200, text: expect.stringContaining("<!doctype html>") });
    expect((await sandbox.submit("kyc_1", submission("garbage"))).body).toMatchObject({ revision: 1 });
    expect(await outcomes(sandbox, "kyc_1")).toEqual(["garbage", "repeated"]);
  });
});

describe("a refusal", () => {
  test.each(reasonTags)("has the reasons of the tag $id, as has a rejection", async ({ id, reasons }) => {
    const sandbox = await runSandbox();
    const refused = await sandbox.submit("kyc_1", submission(id));
    expect(refused).toMatchObject({ status: 422, body: { reasons, error: { code: "kyc_refused" } } });
    expect(refused.body).not.toHaveProperty("final");
    const rejected = await sandbox.submit("kyc_2", submission(`${id}+rejected+final`));
    expect(rejected).toMatchObject({ status: 200, body: { status: "rejected", reasons, final: true } });
    const { refusals, executions } = await sandbox.ledger();
    expect(refusals).toMatchObject([{ reference: "kyc_1", reasons }]);
    expect(executions).toMatchObject([{ reference: "kyc_2", reasons, final: true }]);
  });

  test("has reasons that name only fields of the submission, or is final without one", async () => {
    const sandbox = await runSandbox();
    const content = submission("supporting-document-outdated+document-expired+name-mismatch");
    const document = { ...content.document, expiryDate: null, permanentlyValid: true };
    const refused = await sandbox.submit("kyc_1", { ...content, document, supportingDocuments: [] });
    expect(refused.body.reasons).toEqual([
      { code: "supporting_document_outdated", field: "supportingDocuments" },
      { code: "document_expired" },
      { code: "name_mismatch", field: "applicant.fullName" },
    ]);
    const { body } = await sandbox.submit("kyc_2", submission("final"));
    expect(body).toMatchObject({ final: true });
    expect(body).not.toHaveProperty("reasons");
  });

  test("that follows an approval has reasons, which the approval has not", async () => {
    const sandbox = await runSandbox();
    const approved = await sandbox.submit("kyc_1", submission("revoked+document-expired+selfie-mismatch"));
    expect(approved.body).toMatchObject({ status: "approved" });
    expect(approved.body).not.toHaveProperty("reasons");
    sandbox.clock.now += 3_000;
    const reasons = [{ code: "document_expired" }, { code: "selfie_mismatch" }];
    expect((await sandbox.get("kyc_1")).body).toMatchObject({ status: "rejected", reasons });
  });

  test.each([
    { tag: "name-mismatch+once+approved", status: "approved" },
    { tag: "name-mismatch+once", status: "pending_approval" },
  ])("is the user's first submission with the tag $tag, and the next is $status", async ({ tag, status }) => {
    const sandbox = await runSandbox();
    const first = await sandbox.submit("kyc_1", submission(tag));
    expect(first).toMatchObject({ status: 422, body: { reasons: [{ code: "name_mismatch" }] } });
    expect(await sandbox.submit("kyc_1", submission(tag))).toEqual(first);
    expect((await sandbox.submit("kyc_2", submission(tag))).body).toMatchObject({ status });
    expect((await sandbox.get("kyc_1")).status).toBe(422);
  });
});
