import { readFile } from "node:fs/promises";
import { newSubmission, startTestService } from "@cardbridge/api/testing";
import { createManualClock } from "@cardbridge/api/testing/manual-clock";
import { expect, it, onTestFinished } from "vitest";
import { createClient, responseInfo } from "../src/index.ts";
import { errorOf } from "./support/error-of.ts";

const document = await readFile(new URL("../../../apps/api/samples/address-proof.pdf", import.meta.url));

it("answers the provider's request for a document, and waits until the user is approved", async () => {
  const sandboxClock = createManualClock();
  const service = await startTestService({ sandboxClock, env: { RUN: "all" } });
  onTestFinished(() => service.stop());
  const { files, kyc } = createClient({ baseUrl: service.url, apiKey: service.caller().key });
  const upload = async () => (await files.upload({ purpose: "supporting_document", file: document })).url;

  const asked = await kyc.decide(newSubmission("asks-bank-statement"));
  if (asked.decision !== "action-required") throw new Error(`The decision is ${asked.decision}.`);
  const accepts = [{ documentType: "BANK_STATEMENT", filePurpose: "supporting_document" }];
  expect(asked.requests).toMatchObject([{ documentType: "BANK_STATEMENT", accepts, status: "open" }]);
  expect(asked.record).toMatchObject({ status: "PENDING_APPROVAL", requests: asked.requests });

  const { kycRecordId } = asked.record;
  const { documentRequestId = "" } = asked.requests[0] ?? {};
  const ids = { kycRecordId, documentRequestId };
  const answer = { ...ids, files: [{ documentType: "BANK_STATEMENT", fileUrl: await upload() }] };
  expect(await kyc.answerRequest(answer)).toMatchObject({ documentRequestId, status: "answered" });
  expect(responseInfo(await kyc.answerRequest(answer))).toMatchObject({ replayed: true });
  const other = { ...ids, files: [{ documentType: "BANK_STATEMENT", fileUrl: await upload() }] };
  expect(await errorOf(kyc.answerRequest(other))).toMatchObject({
    code: "DOCUMENT_REQUEST_CONFLICT",
    problem: { errors: [{ rule: "request-answered" }] },
  });
  const unknown = errorOf(kyc.answerRequest({ ...answer, documentRequestId: "dreq_unknown" }));
  expect(await unknown).toMatchObject({ code: "DOCUMENT_REQUEST_NOT_FOUND" });

  const sentAt = async () => (await kyc.history(asked.record)).requests[0]?.sentAt;
  await expect.poll(sentAt).toEqual(expect.any(String));
  sandboxClock.advance(2_000);
  expect(await kyc.waitForDecision(asked.record)).toMatchObject({
    decision: "approved",
    record: { kycRecordId, status: "APPROVED", requests: [{ documentRequestId, status: "closed" }] },
  });
});
