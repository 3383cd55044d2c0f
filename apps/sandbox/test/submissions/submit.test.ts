import { describe, expect, test } from "vitest";
import { outcomes, runSandbox } from "../support/sandbox.ts";
import { sign } from "../support/sign.ts";
import { submission } from "../support/submission.ts";

describe("PUT /v1/kyc/{reference}", () => {
  test("executes the first PUT and answers later ones with the current state", async () => {
    const sandbox = await runSandbox();
    const first = await sandbox.submit("kyc_1", submission());
    expect(first).toMatchObject({
      status: 200,
      body: {
        reference: "kyc_1",
        userReference: "usr_1",
        status: "pending_approval",
        cardAccountId: null,
        revision: 1,
        updatedAt: "2026-01-31T12:00:00.000Z",
      },
    });
    expect((await sandbox.submit("kyc_1", submission())).body).toEqual(first.body);
    expect((await sandbox.get("kyc_1")).body).toEqual(first.body);

    const { executions } = await sandbox.ledger();
    expect(executions).toEqual([
      {
        reference: "kyc_1",
        userReference: "usr_1",
        executedAt: "2026-01-31T12:00:00.000Z",
        status: "pending_approval",
        request: submission(),
        files: [],
      },
    ]);
    expect(await outcomes(sandbox, "kyc_1")).toEqual(["executed", "repeated"]);
  });

  test("executes once for concurrent PUTs of one reference", async () => {
    const sandbox = await runSandbox();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => sandbox.submit("kyc_1", submission())),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await sandbox.ledger()).executions).toHaveLength(1);
    expect((await outcomes(sandbox, "kyc_1")).sort()).toEqual(["executed", ...Array(19).fill("repeated")]);
  });

  test("treats new URL signatures and another key order as the same content", async () => {
    const sandbox = await runSandbox();
    await sandbox.submit("kyc_1", submission());
    const { userReference, ...rest } = submission();
    const again = JSON.stringify({ ...rest, userReference }).replaceAll("signature=1", "signature=2#page");
    expect((await sandbox.submit("kyc_1", JSON.parse(again))).status).toBe(200);
    expect(await outcomes(sandbox, "kyc_1")).toEqual(["executed", "repeated"]);
  });

  test("answers 409 to other content under the same reference and changes nothing", async () => {
    const sandbox = await runSandbox();
    const before = await sandbox.submit("kyc_1", submission());
    const one = submission();
    const others = [
      { ...one, userReference: "usr_2" },
      { ...one, applicant: { ...one.applicant, address: "2 High Street" } },
      { ...one, document: { ...one.document, frontImageUrl: "https://files.example.com/another.jpg" } },
      { ...one, supportingDocuments: [] },
      { ...one, more: true },
    ];
    for (const other of others) {
      expect(await sandbox.submit("kyc_1", other)).toMatchObject({
        status: 409,
        body: { error: { code: "reference_conflict" } },
      });
    }
    expect((await sandbox.get("kyc_1")).body).toEqual(before.body);
    expect((await sandbox.list("userReference=usr_2")).status).toBe(404);
  });

  test("rejects invalid bodies and accepts unknown fields", async () => {
    const sandbox = await runSandbox();
    const one = submission();
    const invalid = [
      [],
      { ...one, applicant: undefined },
      { ...one, applicant: { ...one.applicant, birthDate: "1990-02-30" } },
      { ...one, document: { ...one.document, expiryDate: null } },
      { ...one, document: { ...one.document, permanentlyValid: true } },
      { ...one, supportingDocuments: [{ type: "BANK_STATEMENT", fileUrl: "statement.pdf" }] },
    ];
    for (const body of invalid) {
      expect(await sandbox.submit("kyc_1", body)).toMatchObject({
        status: 400,
        body: { error: { code: "bad_request" } },
      });
    }
    expect((await sandbox.get("kyc_1")).status).toBe(404);

    const more = { ...one, applicant: { ...one.applicant, shoeSize: 40 } };
    expect((await sandbox.submit("kyc_1", more)).status).toBe(200);
    expect((await sandbox.ledger()).executions[0].request).toEqual(more);
  });

  test("rejects a body that is not JSON", async () => {
    const sandbox = await runSandbox();
    const seconds = sandbox.clock.now / 1000;
    const headers = sign("PUT", "/v1/kyc/kyc_1", "{", seconds);
    const response = await fetch(`${sandbox.url}/v1/kyc/kyc_1`, { method: "PUT", headers, body: "{" });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: "bad_request" } });
  });

  test("answers 404 to a GET of an unknown reference", async () => {
    const sandbox = await runSandbox();
    expect(await sandbox.get("kyc_1")).toMatchObject({
      status: 404,
      body: { reference: "kyc_1", error: { code: "not_found", message: expect.any(String) } },
    });
  });
});
