import { describe, expect, test } from "vitest";
import { serveFiles, submissionFrom } from "./support/files.ts";
import { runWithReceiver } from "./support/receiver.ts";
import { act, outcomes, type RunningSandbox, runSandbox, submitAndDisconnect } from "./support/sandbox.ts";
import { submission } from "./support/submission.ts";

/** A renewal of kyc_1 with another document. */
function renewal(tags: string, more: object = {}) {
  const content = submission(tags);
  const document = { ...content.document, number: "B7654321", expiryDate: "2041-05-01" };
  return { ...content, document, renews: "kyc_1", ...more };
}

/** What the user has: the approval and the cards. */
async function standing(sandbox: RunningSandbox) {
  const { body } = await sandbox.list("userReference=usr_1");
  return { approval: (await sandbox.get("kyc_1")).body, cards: body.items };
}

/** A sandbox with the approved submission kyc_1. */
async function approvedUser(tags: string) {
  const sandbox = await runSandbox();
  await sandbox.submit("kyc_1", submission(tags));
  const before = await standing(sandbox);
  expect(before).toMatchObject({ approval: { status: "approved" }, cards: [{ status: "active" }] });
  return { sandbox, before };
}

describe("an approved renewal", () => {
  test("keeps the account and the cards, also that of a renewal", async () => {
    const { sandbox, before } = await approvedUser("approved");
    for (const [reference, renews] of [
      ["kyc_2", "kyc_1"],
      ["kyc_3", "kyc_2"],
    ] as const) {
      const { status, body } = await sandbox.submit(reference, renewal("approved", { renews }));
      expect([status, body.status, body.revision]).toEqual([200, "approved", 1]);
      expect(body.cardAccountId).toBe(before.approval.cardAccountId);
      expect(await standing(sandbox)).toEqual(before);
    }
    expect((await sandbox.ledger()).executions).toMatchObject([{}, { request: { renews: "kyc_1" } }, {}]);
  });

  test("keeps them after an act and after an answer, and later cards have the account", async () => {
    const { sandbox, before } = await approvedUser("approved+renewal+asks-selfie");
    const { cardAccountId } = before.approval;
    const [asked] = (await sandbox.submit("kyc_2", renewal("approved+renewal+asks-selfie"))).body.requests;
    const documents = [{ type: "SELFIE", fileUrl: "https://files.example.com/selfie.jpg" }];
    const answer = { userReference: "usr_1", documents };
    await sandbox.call("PUT", `/v1/kyc/kyc_2/requests/${asked.requestId}/answers/ans_1`, answer);
    sandbox.clock.now += 2_000;
    expect((await sandbox.get("kyc_2")).body).toMatchObject({ status: "approved", cardAccountId });
    expect(await standing(sandbox)).toEqual(before);

    await sandbox.submit("kyc_3", renewal("approved+renewal+pending", { renews: "kyc_2" }));
    await act(sandbox, "approve", { reference: "kyc_3" });
    expect((await sandbox.get("kyc_3")).body).toMatchObject({ status: "approved", cardAccountId });
    expect(await standing(sandbox)).toEqual(before);
    const { cardId } = (await act(sandbox, "issue-card", { reference: "kyc_3" })).body;
    expect((await sandbox.call("GET", `/v1/cards/${cardId}`)).body).toMatchObject({ cardAccountId });
  });
});

test.each([
  { tags: "approved+renewal+rejected+document-unreadable", status: 200, review: "rejected" },
  { tags: "approved+renewal+refused", status: 422, review: undefined },
  { tags: "approved+renewal+document-expired", status: 422, review: undefined },
  { tags: "approved+renewal+pending", status: 200, review: "pending_approval" },
])("a renewal with the tags $tags changes nothing of the approval", async ({ tags, status, review }) => {
  const { sandbox, before } = await approvedUser(tags);
  const first = await sandbox.submit("kyc_2", renewal(tags));
  expect([first.status, first.body.status]).toEqual([status, review]);
  expect(await sandbox.submit("kyc_2", renewal(tags))).toMatchObject({ status, body: first.body });
  expect(await standing(sandbox)).toEqual(before);
});

test("a renewal is rejected by an act, with events of its own", async () => {
  const { receiver, sandbox } = await runWithReceiver();
  await sandbox.submit("kyc_1", submission("approved+renewal+pending"));
  await sandbox.submit("kyc_2", renewal("approved+renewal+pending"));
  const before = await standing(sandbox);
  await act(sandbox, "reject", { reference: "kyc_2", reasonCode: "document_unreadable" });
  expect((await sandbox.get("kyc_2")).body).toMatchObject({
    status: "rejected",
    reasons: [{ code: "document_unreadable" }],
  });
  expect(await standing(sandbox)).toEqual(before);
  await expect.poll(() => receiver.deliveries.length).toBe(3);
  const events = receiver.deliveries.map(({ body: { data } }) => `${data.reference} ${data.status}`);
  expect(events.toSorted()).toEqual(["kyc_1 approved", "kyc_2 pending_approval", "kyc_2 rejected"]);
});

describe("a renewal of no approval is refused, once and for all", () => {
  test.each([
    { of: "an unknown submission", renews: "kyc_9", approve: "kyc_1" },
    { of: "itself", renews: "kyc_2", approve: "kyc_1" },
    { of: "a submission in review", renews: "kyc_1", approve: "kyc_1" },
    { of: "another user's approval", renews: "kyc_8", approve: "kyc_1" },
    { of: "a refused submission", renews: "kyc_7", approve: undefined },
  ])("of $of", async ({ renews, approve }) => {
    const sandbox = await runSandbox();
    await sandbox.submit("kyc_1", submission("pending"));
    await sandbox.submit("kyc_7", submission("refused"));
    await sandbox.submit("kyc_8", submission("approved", "usr_2"));
    const content = renewal("approved", { renews });
    const first = await sandbox.submit("kyc_2", content);
    const refused = { reference: "kyc_2", userReference: "usr_1", error: { code: "kyc_refused" } };
    expect(first).toMatchObject({ status: 422, body: refused });
    expect(first.body).not.toHaveProperty("reasons");

    if (approve) await act(sandbox, "approve", { reference: approve });
    await sandbox.close();
    const after = await runSandbox({ dataFolder: sandbox.dataFolder }, sandbox.clock);
    expect(await after.submit("kyc_2", content)).toMatchObject({ status: 422, body: first.body });
    expect(await after.get("kyc_2")).toMatchObject({ status: 422, body: first.body });
    expect(await outcomes(after, "kyc_2")).toEqual(["refused", "refused"]);
    expect((await after.list("userReference=usr_2")).body.total).toBe(1);
  });

  test("of an approval that was revoked", async () => {
    const { sandbox } = await approvedUser("approved");
    await act(sandbox, "reject");
    expect((await sandbox.submit("kyc_2", renewal("approved"))).status).toBe(422);
  });

  test("also if a file of it is fetched", async () => {
    const { url, requests } = await serveFiles();
    const sandbox = await runSandbox();
    const content = { ...submissionFrom(url, "fetch+approved"), renews: "kyc_9" };
    expect((await sandbox.submit("kyc_2", content)).body).not.toHaveProperty("reasons");
    expect(requests).toEqual([]);
  });
});

describe("a reference of a renewal", () => {
  test("has one content: what it renews is part of it", async () => {
    const { sandbox, before } = await approvedUser("approved");
    const first = await sandbox.submit("kyc_2", renewal("approved"));
    const { renews: _, ...plain } = renewal("approved");
    for (const other of [plain, { ...plain, renews: "kyc_2" }, { ...plain, renews: "kyc_9" }])
      expect(await sandbox.submit("kyc_2", other)).toMatchObject({
        status: 409,
        body: { error: { code: "reference_conflict" } },
      });
    expect((await sandbox.submit("kyc_1", renewal("approved"))).status).toBe(409);
    expect(await sandbox.submit("kyc_2", renewal("approved"))).toMatchObject({
      status: 200,
      body: first.body,
    });
    expect(await standing(sandbox)).toEqual(before);
  });

  test("keeps its fault, its account and its cards when the sandbox dies in the middle", async () => {
    const tags = "approved+renewal+timeout-after-effect";
    const lost = "approved+renewal+timeout-before-effect";
    const { sandbox, before } = await approvedUser(tags);
    await submitAndDisconnect(sandbox, "kyc_2", renewal(tags));
    await submitAndDisconnect(sandbox, "kyc_3", renewal(lost));
    await sandbox.close();

    const after = await runSandbox({ dataFolder: sandbox.dataFolder }, sandbox.clock);
    expect((await after.get("kyc_2")).body).toMatchObject({ status: "pending_approval" });
    expect((await after.get("kyc_3")).status).toBe(404);
    await after.submit("kyc_2", renewal(tags));
    await after.submit("kyc_3", renewal(lost));
    after.clock.now += 5_000;
    for (const reference of ["kyc_2", "kyc_3"])
      expect((await after.get(reference)).body).toMatchObject({
        status: "approved",
        cardAccountId: before.approval.cardAccountId,
      });
    expect(await standing(after)).toEqual(before);
    expect(await outcomes(after, "kyc_2")).toEqual(["timeout-after-effect", "repeated"]);
    expect(await outcomes(after, "kyc_3")).toEqual(["timeout-before-effect", "executed"]);
  });
});

test("the tags of an e-mail without the tag renewal are those of its renewals too", async () => {
  const { sandbox } = await approvedUser("approved+final");
  expect((await sandbox.submit("kyc_2", renewal("approved+final"))).body).toMatchObject({
    status: "approved",
  });
  const usual = await sandbox.submit("kyc_3", renewal("approved+renewal"));
  expect(usual.body).toMatchObject({ status: "pending_approval" });
});
