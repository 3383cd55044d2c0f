import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { scenarios } from "../../src/index.ts";
import { reasonTags } from "../../src/scenarios/reasons.ts";
import { outcomes, runSandbox, submitAndDisconnect } from "../support/sandbox.ts";
import { submission } from "../support/submission.ts";

const dayMs = 86_400_000;

describe("scenarios", () => {
  test("none, an unknown tag and an unknown last tag: approved after 5 s", async () => {
    const sandbox = await runSandbox();
    await sandbox.submit("kyc_1", submission());
    await sandbox.submit("kyc_2", submission("whatever"));
    await sandbox.submit("kyc_3", submission("approved+x"));
    sandbox.clock.now += 4_999;
    for (const reference of ["kyc_1", "kyc_2", "kyc_3"]) {
      expect((await sandbox.get(reference)).body).toMatchObject({ status: "pending_approval", revision: 1 });
    }
    expect((await sandbox.list("userReference=usr_1")).body.total).toBe(0);

    sandbox.clock.now += 1;
    for (const reference of ["kyc_1", "kyc_2", "kyc_3"]) {
      expect((await sandbox.get(reference)).body).toMatchObject({
        status: "approved",
        cardAccountId: expect.stringMatching(/^acct_[0-9a-f]{24}$/),
        revision: 2,
        updatedAt: "2026-01-31T12:00:05.000Z",
      });
    }
    expect((await sandbox.list("userReference=usr_1")).body.total).toBe(3);
  });

  test("an approval issues a card with the data of the applicant and the account", async () => {
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
    ["approved", "approved", 1],
    ["rejected", "rejected", 0],
    ["pending", "pending_approval", 0],
    ["not-submitted", "not_submitted", 0],
    ["no-account", "approved", 0],
    ["new-status", "manual_review", 0],
  ])("%s: %s immediately and permanently, with %i cards", async (tag, status, cards) => {
    const sandbox = await runSandbox();
    const first = await sandbox.submit("kyc_1", submission(tag));
    expect(first.body).toMatchObject({ status, revision: 1 });
    expect(first.body.cardAccountId === null).toBe(cards === 0);
    sandbox.clock.now += dayMs;
    expect((await sandbox.get("kyc_1")).body).toEqual(first.body);
    expect((await sandbox.list("userReference=usr_1")).body.total).toBe(cards);
  });

  test("refused: every PUT and GET returns 422 and nothing executes", async () => {
    const sandbox = await runSandbox();
    const refusal = {
      status: 422,
      body: {
        reference: "kyc_1",
        userReference: "usr_1",
        error: { code: "kyc_refused", message: expect.any(String) },
      },
    };
    expect(await sandbox.submit("kyc_1", submission("refused"))).toMatchObject(refusal);
    expect(await sandbox.submit("kyc_1", submission("refused"))).toMatchObject(refusal);
    expect(await sandbox.get("kyc_1")).toMatchObject(refusal);
    expect((await sandbox.submit("kyc_1", submission())).status).toBe(409);
    expect((await sandbox.list("userReference=usr_1")).status).toBe(404);

    const { executions, refusals } = await sandbox.ledger();
    expect(executions).toEqual([]);
    expect(refusals).toMatchObject([{ reference: "kyc_1", request: submission("refused") }]);
    expect(await outcomes(sandbox, "kyc_1")).toEqual(["refused", "refused", "conflict"]);
  });

  test("slow: executes immediately and responds later", async () => {
    const sandbox = await runSandbox({ slowMs: 600_000 });
    expect(await submitAndDisconnect(sandbox, "kyc_1", submission("slow"))).toBe("disconnected");
    expect((await sandbox.get("kyc_1")).body).toMatchObject({ status: "pending_approval" });
    expect((await sandbox.ledger()).executions).toHaveLength(1);
  });

  test("slow: responds after the delay", async () => {
    const sandbox = await runSandbox({ slowMs: 1 });
    expect((await sandbox.submit("kyc_1", submission("slow"))).body).toMatchObject({
      status: "pending_approval",
    });
  });

  test("error-500: fails the first PUT before it executes", async () => {
    const sandbox = await runSandbox();
    expect(await sandbox.submit("kyc_1", submission("error-500"))).toMatchObject({
      status: 500,
      body: { error: { code: "internal" } },
    });
    expect((await sandbox.get("kyc_1")).status).toBe(404);
    expect((await sandbox.list("userReference=usr_1")).status).toBe(404);

    sandbox.clock.now += 60_000;
    expect((await sandbox.submit("kyc_1", submission("error-500"))).body).toMatchObject({
      status: "pending_approval",
      updatedAt: "2026-01-31T12:01:00.000Z",
    });
    expect(await outcomes(sandbox, "kyc_1")).toEqual(["error-500", "executed"]);
  });

  test("garbage: executes and responds with an HTML page", async () => {
    const sandbox = await runSandbox();
    const first = await sandbox.submit("kyc_1", submission("garbage"));
    expect(first).toMatchObject({ status: 200, text: expect.stringContaining("<!doctype html>") });
    expect((await sandbox.get("kyc_1")).body).toMatchObject({ status: "pending_approval" });
    expect((await sandbox.submit("kyc_1", submission("garbage"))).body).toMatchObject({ revision: 1 });
    expect(await outcomes(sandbox, "kyc_1")).toEqual(["garbage", "repeated"]);
  });

  test("timeout-after-effect: executes the first PUT and never responds to it", async () => {
    const sandbox = await runSandbox();
    const content = submission("timeout-after-effect");
    expect(await submitAndDisconnect(sandbox, "kyc_1", content)).toBe("disconnected");
    expect((await sandbox.get("kyc_1")).body).toMatchObject({ status: "pending_approval" });
    sandbox.clock.now += 5_000;
    expect((await sandbox.submit("kyc_1", content)).body).toMatchObject({ status: "approved" });
    expect(await outcomes(sandbox, "kyc_1")).toEqual(["timeout-after-effect", "repeated"]);
    expect((await sandbox.ledger()).executions).toHaveLength(1);
  });

  test("timeout-before-effect: executes the second PUT only", async () => {
    const sandbox = await runSandbox();
    const content = submission("timeout-before-effect");
    expect(await submitAndDisconnect(sandbox, "kyc_1", content)).toBe("disconnected");
    expect((await sandbox.get("kyc_1")).status).toBe(404);
    expect((await sandbox.ledger()).executions).toEqual([]);
    expect((await sandbox.submit("kyc_1", content)).body).toMatchObject({ status: "pending_approval" });
    expect(await outcomes(sandbox, "kyc_1")).toEqual(["timeout-before-effect", "executed"]);
  });

  test("mismatched: responses contain another reference and another user", async () => {
    const sandbox = await runSandbox();
    const first = await sandbox.submit("kyc_1", submission("mismatched"));
    expect(first.body).toMatchObject({
      reference: expect.stringMatching(/^kyc_[0-9a-f]{24}$/),
      userReference: expect.stringMatching(/^usr_[0-9a-f]{24}$/),
      status: "pending_approval",
    });
    expect((await sandbox.get("kyc_1")).body).toEqual(first.body);
    expect((await sandbox.ledger()).executions).toMatchObject([
      { reference: "kyc_1", userReference: "usr_1" },
    ]);
  });

  test.each(reasonTags.map(({ id, reasons }) => [id, reasons] as const))(
    "%s: the reasons of a refusal, and of a rejection with another tag",
    async (tag, reasons) => {
      const sandbox = await runSandbox();
      const refused = await sandbox.submit("kyc_1", submission(tag));
      expect(refused).toMatchObject({ status: 422, body: { reasons, error: { code: "kyc_refused" } } });
      expect(refused.body).not.toHaveProperty("final");
      const rejected = await sandbox.submit("kyc_2", submission(`${tag}+rejected+final`));
      expect(rejected).toMatchObject({ status: 200, body: { status: "rejected", reasons, final: true } });
      const { refusals, executions } = await sandbox.ledger();
      expect(refusals).toMatchObject([{ reference: "kyc_1", reasons }]);
      expect(executions).toMatchObject([{ reference: "kyc_2", reasons, final: true }]);
    },
  );

  test("reasons: name only fields that the submission has", async () => {
    const sandbox = await runSandbox();
    const tags =
      "supporting-document-insufficient+supporting-document-outdated+document-expired+name-mismatch";
    const content = submission(tags);
    const document = { ...content.document, expiryDate: null, permanentlyValid: true };
    const refused = await sandbox.submit("kyc_1", { ...content, document, supportingDocuments: [] });
    expect(refused.body.reasons).toEqual([
      { code: "supporting_document_insufficient", field: "supportingDocuments" },
      { code: "supporting_document_outdated", field: "supportingDocuments" },
      { code: "document_expired" },
      { code: "name_mismatch", field: "applicant.fullName" },
    ]);
  });

  test("reasons: several combine, and an approval has none", async () => {
    const sandbox = await runSandbox();
    const tags = "revoked+document-expired+selfie-mismatch";
    const reasons = [
      { code: "document_expired", field: "document.expiryDate" },
      { code: "selfie_mismatch", field: "document.selfieImageUrl" },
    ];
    const approved = await sandbox.submit("kyc_1", submission(tags));
    expect(approved.body).toMatchObject({ status: "approved" });
    expect(approved.body).not.toHaveProperty("reasons");
    sandbox.clock.now += 3_000;
    expect((await sandbox.get("kyc_1")).body).toMatchObject({ status: "rejected", reasons });
  });

  test("once: refuses the user's first submission, and the corrected one follows the other tag", async () => {
    const sandbox = await runSandbox();
    for (const [tag, status] of [
      ["name-mismatch+once+approved", "approved"],
      ["name-mismatch+once", "pending_approval"],
    ] as const) {
      const content = submission(tag, `usr_${status}`);
      const first = await sandbox.submit(`kyc_1_${status}`, content);
      expect(first).toMatchObject({ status: 422, body: { reasons: [{ code: "name_mismatch" }] } });
      expect(await sandbox.submit(`kyc_1_${status}`, content)).toEqual(first);
      expect((await sandbox.submit(`kyc_2_${status}`, content)).body).toMatchObject({ status });
      expect((await sandbox.get(`kyc_1_${status}`)).status).toBe(422);
    }
  });

  test("final: refuses without a reason", async () => {
    const sandbox = await runSandbox();
    const { status, body } = await sandbox.submit("kyc_1", submission("final"));
    expect({ status, body }).toMatchObject({ status: 422, body: { final: true } });
    expect(body).not.toHaveProperty("reasons");
  });

  test("the README lists every scenario with its description", async () => {
    const readme = await readFile(new URL("../../README.md", import.meta.url), "utf8");
    const rows = scenarios.map(({ id, description }) => `| \`${id}\` | ${description} |`);
    expect(readme.replace(/ +\|/g, " |")).toContain(rows.join("\n"));
  });
});
