import { expect, test } from "vitest";
import { codeOf, rulesOf } from "../support/calls.ts";
import {
  aRequestForDocument,
  askedRecord,
  requestingProvider,
  statement,
} from "../support/document-requests.ts";
import { answered, makeWorld } from "../support/world.ts";

const world = await makeWorld();
const rowsOf = (platformId: string): Promise<{ encrypted: Buffer }[]> =>
  world.admin("select * from document_requests where platform_id = $1", [platformId]);

test("an answer is stored encrypted, audited and due at once", async () => {
  const { platformId, kycRecordId, answer, requests, changes } = await askedRecord(world);
  await world.admin("update kyc_records set due_at = now() + interval '1 hour' where id = $1", [kycRecordId]);
  const { data } = await answer();
  expect(data).toMatchObject({ status: "answered", answeredAt: expect.any(String), sentAt: null });
  expect(await requests()).toEqual([data]);
  expect((await changes()).map(({ request, source }) => [request.status, source])).toEqual([
    ["open", "event"],
    ["answered", "submission"],
  ]);
  const [row] = await world.admin("select due_at <= now() as due from kyc_records where id = $1", [
    kycRecordId,
  ]);
  expect(row).toEqual({ due: true });
  const stored = await rowsOf(platformId);
  expect(JSON.stringify(stored)).not.toContain("statement");
  expect(Buffer.concat(stored.map(({ encrypted }) => encrypted)).includes("statement")).toBe(false);
  expect((await world.audit.list([platformId])).entries).toContainEqual(
    expect.objectContaining({ operation: "kyc.answerRequest", subject: kycRecordId, outcome: "done" }),
  );
});

test("equal files replay, also with another signature and in another order", async () => {
  const { answer, changes } = await askedRecord(world);
  const bill = { documentType: "UTILITY_BILL", fileUrl: "https://files.example.com/bill.pdf" };
  const first = await answer([statement(), bill]);
  const signed = { ...bill, fileUrl: `${bill.fileUrl}?X-Amz-Signature=1` };
  const again = await answer([signed, statement()]);
  expect(again).toEqual({ ...first, replayed: true });
  expect(await changes()).toHaveLength(2);
});

test("500 equal answers at once are one answer", async () => {
  const { answer, changes } = await askedRecord(world);
  const outcomes = await Promise.all(Array.from({ length: 500 }, () => answer()));
  expect(outcomes.filter(({ replayed }) => !replayed)).toHaveLength(1);
  expect(await changes()).toHaveLength(2);
});

test("other files for an answered request are a conflict", async () => {
  const { answer } = await askedRecord(world);
  await answer();
  expect(await rulesOf(answer([statement("another")]))).toEqual(["request-answered"]);
});

test("a closed request, and one that no file answers, are conflicts", async () => {
  const closed = await askedRecord(world);
  await world.kyc.recordProviderUpdate(closed.about, answered("approved", null, 2));
  expect(await rulesOf(closed.answer())).toEqual(["request-closed"]);

  const provider = requestingProvider();
  provider.reports = [aRequestForDocument({ documentType: "LIVENESS", accepts: [] })];
  const liveness = await askedRecord(world, provider);
  expect(await rulesOf(liveness.answer())).toEqual(["request-needs-operator"]);
  expect(await codeOf(liveness.answer())).toBe("DOCUMENT_REQUEST_CONFLICT");
});

test("an answer after the decision replays if the request had it", async () => {
  const { about, answer } = await askedRecord(world);
  await answer();
  await world.kyc.recordProviderUpdate(about, answered("approved", null, 2));
  expect(await answer()).toMatchObject({ replayed: true, data: { status: "closed" } });
});

test("a type that the request does not accept is named", async () => {
  const { answer, requests } = await askedRecord(world);
  const selfie = { documentType: "SELFIE", fileUrl: "https://files.example.com/selfie.jpg" };
  await expect(answer([statement(), selfie])).rejects.toMatchObject({
    code: "INVALID_INPUT",
    details: { violations: [{ path: ["files", 1, "documentType"], rule: "document-type" }] },
  });
  expect(await requests()).toMatchObject([{ status: "open" }]);
});

test.each([
  ["no files", []],
  ["a type that is no file", [{ documentType: "TEXT", fileUrl: "https://files.example.com/a.pdf" }]],
  ["a private address", [{ documentType: "BANK_STATEMENT", fileUrl: "https://localhost/a.pdf" }]],
])("%s is an invalid input", async (_name, files) => {
  const { answer } = await askedRecord(world);
  expect(await codeOf(answer(files))).toBe("INVALID_INPUT");
});

test("another platform's record and an unknown request are not found", async () => {
  const { answer } = await askedRecord(world);
  expect(await codeOf(answer([statement()], { of: await world.platform() }))).toBe("KYC_RECORD_NOT_FOUND");
  expect(await codeOf(answer([statement()], { id: "dreq_unknown" }))).toBe("DOCUMENT_REQUEST_NOT_FOUND");
});

test("a user who is being erased answers nothing, and an erasure removes the answer", async () => {
  const { platformId, externalUserId, answer, attempt } = await askedRecord(world);
  await answer();
  await attempt();
  await world.erasures.request(platformId, externalUserId);
  expect(await codeOf(answer([statement("another")]))).toBe("USER_ERASURE_PENDING");
  await world.admin("update kyc_records set lease_until = null where platform_id = $1", [platformId]);
  expect(await world.erasures.eraseDue(100)).toBe(1);
  const [request] = await rowsOf(platformId);
  expect(request).toMatchObject({ encrypted: null, fingerprint: null, status: "answered" });
});
