import { describe, expect, test } from "vitest";
import { runWithReceiver } from "./support/receiver.ts";
import { act, type RunningSandbox, runSandbox, until, untilDelivered } from "./support/sandbox.ts";
import { submission } from "./support/submission.ts";

interface Documents {
  type?: string;
  fileUrl?: string;
}

/** Answers the latest request of kyc_1 with one document. */
async function answer(
  sandbox: RunningSandbox,
  answerReference: string,
  { type = "BANK_STATEMENT", fileUrl = "https://files.example.com/new.pdf?signature=1" }: Documents = {},
  { userReference = "usr_1", signal }: { userReference?: string; signal?: AbortSignal } = {},
) {
  const { requestId } = (await sandbox.get("kyc_1")).body.requests.at(-1);
  const target = `/v1/kyc/kyc_1/requests/${requestId}/answers/${answerReference}`;
  return sandbox.call("PUT", target, { userReference, documents: [{ type, fileUrl }] }, signal);
}

/** Answers, waits until the sandbox has received the answer, and disconnects. */
async function answerAndDisconnect(sandbox: RunningSandbox, answerReference: string) {
  const client = new AbortController();
  const lost = answer(sandbox, answerReference, {}, { signal: client.signal }).then(
    () => "answered",
    () => "disconnected",
  );
  await until(async () => (await answers(sandbox)).length > 0);
  client.abort();
  expect(await lost).toBe("disconnected");
}

/** The received answers of kyc_1, such as `ans_1 accepted`. */
async function answers(sandbox: RunningSandbox): Promise<string[]> {
  const [{ requests }] = (await sandbox.ledger()).executions;
  return requests.flatMap((request: { answers: { answerReference: string; outcome: string }[] }) =>
    request.answers.map(({ answerReference, outcome }) => `${answerReference} ${outcome}`),
  );
}

const statusOf = async (sandbox: RunningSandbox) => {
  const { status, requests } = (await sandbox.get("kyc_1")).body;
  return [status, ...requests.map((request: { status: string }) => request.status)];
};

const error = (status: number, code: string) => ({ status, body: { error: { code } } });

describe("a request of a tag", () => {
  test.each([
    { tag: "asks-bank-statement", type: "BANK_STATEMENT", reason: "supporting_document_missing" },
    { tag: "asks-selfie", type: "SELFIE", reason: "selfie_unreadable" },
  ])(
    "$tag is open at once, and the submission is approved 2 s after the answer",
    async ({ tag, type, reason }) => {
      const { receiver, sandbox } = await runWithReceiver();
      const { body } = await sandbox.submit("kyc_1", submission(tag));
      const [open] = body.requests;
      expect(body).toMatchObject({ status: "pending_approval", revision: 1 });
      expect(open).toMatchObject({
        documentType: type,
        accepts: [type],
        reason,
        status: "open",
        revision: 1,
      });
      await untilDelivered(sandbox, 2);
      sandbox.clock.advance(86_400_000);
      expect(await statusOf(sandbox)).toEqual(["pending_approval", "open"]);

      const answered = await answer(sandbox, "ans_1", { type });
      const { requestId } = open;
      expect(answered).toMatchObject({
        status: 200,
        body: { reference: "kyc_1", userReference: "usr_1", requestId, answerReference: "ans_1" },
      });
      await untilDelivered(sandbox, 3);
      expect(await statusOf(sandbox)).toEqual(["pending_approval", "answered"]);
      sandbox.clock.advance(1_999);
      expect(await statusOf(sandbox)).toEqual(["pending_approval", "answered"]);
      sandbox.clock.advance(1);
      expect(await statusOf(sandbox)).toEqual(["approved", "closed"]);
      await untilDelivered(sandbox, 5);
      expect((await sandbox.list("userReference=usr_1")).body.total).toBe(1);

      const request = (status: string, revision: number) => ({ ...open, status, revision });
      expect(receiver.deliveries.map((delivery) => delivery.body)).toMatchObject([
        { type: "kyc.updated", data: { status: "pending_approval", requests: [request("open", 1)] } },
        { type: "kyc.request_updated", data: { reference: "kyc_1", request: request("open", 1) } },
        { type: "kyc.request_updated", data: { userReference: "usr_1", request: request("answered", 2) } },
        { type: "kyc.updated", data: { status: "approved", revision: 2, requests: [request("closed", 3)] } },
        { type: "kyc.request_updated", data: { request: request("closed", 3) } },
      ]);
    },
  );

  test("is closed by an act before its answer, and takes no answer afterwards", async () => {
    const sandbox = await runSandbox();
    await sandbox.submit("kyc_1", submission("asks-bank-statement"));
    await act(sandbox, "reject");
    expect(await statusOf(sandbox)).toEqual(["rejected", "closed"]);
    expect(await answer(sandbox, "ans_1")).toMatchObject(error(409, "request_not_open"));
    expect(await answers(sandbox)).toEqual([]);
  });

  test("leads to no approval once an act has asked for another document", async () => {
    const sandbox = await runSandbox();
    await sandbox.submit("kyc_1", submission("asks-bank-statement"));
    await answer(sandbox, "ans_1");
    await act(sandbox, "ask-document", { documentType: "SELFIE" });
    sandbox.clock.advance(86_400_000);
    expect(await statusOf(sandbox)).toEqual(["pending_approval", "answered", "open"]);
    await answer(sandbox, "ans_2", { type: "SELFIE" });
    sandbox.clock.advance(86_400_000);
    expect(await statusOf(sandbox)).toEqual(["pending_approval", "answered", "answered"]);
    await act(sandbox, "approve");
    expect(await statusOf(sandbox)).toEqual(["approved", "closed", "closed"]);
  });
});

describe("an answer", () => {
  test("has one effect, however often it is sent, and other content is a conflict", async () => {
    const sandbox = await runSandbox();
    await sandbox.submit("kyc_1", submission("asks-bank-statement"));
    const signed = (signature: number) => ({
      fileUrl: `https://files.example.com/new.pdf?signature=${signature}`,
    });
    const [first, ...others] = await Promise.all(
      [1, 2, 3].map((one) => answer(sandbox, "ans_1", signed(one))),
    );
    sandbox.clock.advance(10_000);
    for (const other of [...others, await answer(sandbox, "ans_1", signed(4))]) expect(other).toEqual(first);
    expect(first).toMatchObject({ status: 200 });
    expect(await answers(sandbox)).toEqual(["ans_1 accepted"]);
    expect((await sandbox.get("kyc_1")).body).toMatchObject({
      revision: 2,
      updatedAt: "2026-01-31T12:00:02.000Z",
    });
    const other = { fileUrl: "https://files.example.com/other.pdf" };
    expect(await answer(sandbox, "ans_1", other)).toMatchObject(error(409, "reference_conflict"));
    expect(await answer(sandbox, "ans_2", other)).toMatchObject(error(409, "request_not_open"));
  });

  test("needs a request of the user's submission, a document, and a type that the request accepts", async () => {
    const sandbox = await runSandbox();
    await sandbox.submit("kyc_1", submission("asks-bank-statement"));
    await sandbox.submit("kyc_2", submission("pending"));
    const { requestId } = (await sandbox.get("kyc_1")).body.requests[0];
    const documents = [{ type: "BANK_STATEMENT", fileUrl: "https://files.example.com/new.pdf" }];
    const put = (path: string, content: object) =>
      sandbox.call("PUT", `/v1/kyc/${path}/answers/ans_1`, { userReference: "usr_1", documents, ...content });
    for (const path of [`kyc_2/requests/${requestId}`, `kyc_9/requests/${requestId}`, "kyc_1/requests/req_9"])
      expect(await put(path, {})).toMatchObject(error(404, "not_found"));
    const ours = `kyc_1/requests/${requestId}`;
    expect(await put(ours, { userReference: "usr_2" })).toMatchObject(error(404, "not_found"));
    for (const wrong of [
      [],
      [{ type: "SELFIE", fileUrl: "https://files.example.com/a.png" }],
      [{ type: "SELFIE" }],
    ])
      expect(await put(ours, { documents: wrong })).toMatchObject(error(400, "bad_request"));
    expect(await answers(sandbox)).toEqual([]);
    expect((await put(ours, {})).status).toBe(200);
  });

  test("answer-timeout: takes effect and never responds", async () => {
    const { receiver, sandbox } = await runWithReceiver();
    await sandbox.submit("kyc_1", submission("asks-bank-statement+answer-timeout"));
    await answerAndDisconnect(sandbox, "ans_1");
    await untilDelivered(sandbox, 3);
    expect(receiver.deliveries[2]?.body).toMatchObject({ data: { request: { status: "answered" } } });
    expect(await statusOf(sandbox)).toEqual(["pending_approval", "answered"]);
    expect(await answer(sandbox, "ans_1")).toMatchObject({ status: 200 });
    expect(await answers(sandbox)).toEqual(["ans_1 timeout-after-effect"]);
    sandbox.clock.advance(2_000);
    expect(await statusOf(sandbox)).toEqual(["approved", "closed"]);
  });

  test("answer-lost: takes no effect and never responds, and can be sent again", async () => {
    const sandbox = await runSandbox();
    await sandbox.submit("kyc_1", submission("asks-bank-statement+answer-lost"));
    await answerAndDisconnect(sandbox, "ans_1");
    sandbox.clock.advance(60_000);
    expect(await statusOf(sandbox)).toEqual(["pending_approval", "open"]);
    expect(await answer(sandbox, "ans_1")).toMatchObject({ status: 200 });
    expect(await answers(sandbox)).toEqual(["ans_1 timeout-before-effect", "ans_1 accepted"]);
  });

  test("answer-refused: is refused whenever it is repeated, and the next is accepted", async () => {
    const sandbox = await runSandbox();
    await sandbox.submit("kyc_1", submission("answer-refused+asks-bank-statement"));
    const refused = await answer(sandbox, "ans_1");
    expect(refused).toMatchObject(error(422, "answer_refused"));
    expect(refused.body).toMatchObject({
      reference: "kyc_1",
      userReference: "usr_1",
      requestId: expect.stringMatching(/^req_/),
      reasons: [{ code: "document_unreadable" }],
    });
    expect(await answer(sandbox, "ans_1")).toEqual(refused);
    expect((await sandbox.get("kyc_1")).body.requests).toMatchObject([{ status: "open", revision: 1 }]);
    expect(await answer(sandbox, "ans_2")).toMatchObject({ status: 200 });
    expect(await answers(sandbox)).toEqual(["ans_1 refused", "ans_2 accepted"]);
  });

  test("is restored by a restart, which sends its events and those of its approval", async () => {
    let isDown = false;
    const { receiver, sandbox } = await runWithReceiver(() => (isDown ? 503 : 204));
    await sandbox.submit("kyc_1", submission("asks-bank-statement"));
    await untilDelivered(sandbox, 2);
    isDown = true;
    const answered = await answer(sandbox, "ans_1");
    const before = [await sandbox.ledger(), await sandbox.get("kyc_1")];
    await until(() => receiver.deliveries.length >= 3);
    await sandbox.close();

    isDown = false;
    const options = { events: receiver.events, dataFolder: sandbox.dataFolder };
    const again = await runSandbox(options, sandbox.clock);
    expect([await again.ledger(), await again.get("kyc_1")]).toEqual(before);
    expect(await answer(again, "ans_1")).toEqual(answered);
    await untilDelivered(again, 3);
    again.clock.advance(2_000);
    await untilDelivered(again, 5);
    expect(receiver.deliveries.at(-1)?.body).toMatchObject({ data: { request: { status: "closed" } } });
    expect(await statusOf(again)).toEqual(["approved", "closed"]);
  });
});

test("rejected-once: the user's first submission is rejected, and the next is approved at once", async () => {
  const sandbox = await runSandbox();
  const content = submission("rejected-once+document-expired");
  const first = await sandbox.submit("kyc_1", content);
  expect(first.body).toMatchObject({ status: "rejected", reasons: [{ code: "document_expired" }] });
  expect((await sandbox.submit("kyc_1", content)).body).toEqual(first.body);
  const second = await sandbox.submit("kyc_2", content);
  expect(second.body).toMatchObject({ status: "approved", cardAccountId: expect.any(String) });
  const other = await sandbox.submit("kyc_3", submission("rejected-once", "usr_2"));
  expect(other.body).toMatchObject({ status: "rejected", revision: 1 });
});
