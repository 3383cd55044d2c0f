import { describe, expect, test } from "vitest";
import { outcomes, runSandbox } from "../support/sandbox.ts";
import { sign } from "../support/sign.ts";
import { submission } from "../support/submission.ts";

describe("PUT /v1/kyc/{reference}", () => {
  test("executes the first PUT and returns the current state for later ones", async () => {
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
        requests: [],
        files: [],
      },
    ]);
    expect(await outcomes(sandbox, "kyc_1")).toEqual(["executed", "repeated"]);
  });

  test("treats new URL signatures and another key order as the same content", async () => {
    const sandbox = await runSandbox();
    await sandbox.submit("kyc_1", submission());
    const { userReference, ...rest } = submission();
    const again = JSON.stringify({ ...rest, userReference }).replaceAll("signature=1", "signature=2#page");
    expect((await sandbox.submit("kyc_1", JSON.parse(again))).status).toBe(200);
    expect(await outcomes(sandbox, "kyc_1")).toEqual(["executed", "repeated"]);
  });

  test("returns 409 for other content under the same reference and changes nothing", async () => {
    const sandbox = await runSandbox();
    const before = await sandbox.submit("kyc_1", submission());
    const content = submission();
    const conflict = { status: 409, body: { error: { code: "reference_conflict" } } };
    for (const other of [
      { ...content, userReference: "usr_2" },
      { ...content, applicant: { ...content.applicant, address: "2 High Street" } },
      { ...content, supportingDocuments: [] },
      { ...content, more: true },
    ])
      expect(await sandbox.submit("kyc_1", other)).toMatchObject(conflict);
    expect((await sandbox.get("kyc_1")).body).toEqual(before.body);
    expect((await sandbox.list("userReference=usr_2")).status).toBe(404);
  });

  test("rejects invalid bodies and accepts unknown fields", async () => {
    const sandbox = await runSandbox();
    const content = submission();
    const invalid = [
      [],
      { ...content, applicant: undefined },
      { ...content, applicant: { ...content.applicant, birthDate: "1990-02-30" } },
      { ...content, document: { ...content.document, expiryDate: null } },
      { ...content, document: { ...content.document, permanentlyValid: true } },
      { ...content, supportingDocuments: [{ type: "BANK_STATEMENT", fileUrl: "statement.pdf" }] },
    ];
    const badRequest = { status: 400, body: { error: { code: "bad_request" } } };
    for (const body of invalid) expect(await sandbox.submit("kyc_1", body)).toMatchObject(badRequest);
    const headers = sign("PUT", "/v1/kyc/kyc_1", "{", sandbox.clock.now / 1000);
    const init = { method: "PUT", headers, body: "{" };
    expect((await fetch(`${sandbox.url}/v1/kyc/kyc_1`, init)).status).toBe(400);
    expect((await sandbox.get("kyc_1")).status).toBe(404);

    const more = { ...content, applicant: { ...content.applicant, shoeSize: 40 } };
    expect((await sandbox.submit("kyc_1", more)).status).toBe(200);
    expect((await sandbox.ledger()).executions[0].request).toEqual(more);
  });

  test("returns 404 for a GET of an unknown reference", async () => {
    const sandbox = await runSandbox();
    expect(await sandbox.get("kyc_1")).toMatchObject({
      status: 404,
      body: { reference: "kyc_1", error: { code: "not_found", message: expect.any(String) } },
    });
  });
});
