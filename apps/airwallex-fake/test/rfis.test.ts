import { describe, expect, test } from "vitest";
import { cardholder, jpeg, runFake } from "./support/fake.ts";

/** A fake with an incomplete cardholder, a file, and an RFI with one question about the cardholder. */
async function asked() {
  const fake = await runFake();
  const { body } = await fake.post(
    "issuing/cardholders/create",
    cardholder({ email: "j+incomplete@example.com" }),
  );
  const sources = [{ id: body.cardholder_id }];
  const question = { key: "PROOF_OF_ADDRESS", sources };
  const { body: rfi } = await fake.admin("POST", "/rfis", { questions: [question] });
  const { body: file } = await fake.upload(jpeg);
  const [{ id: questionId }] = rfi.active_request.questions;
  const answer = { type: "ATTACHMENT", attachments: [{ file_id: file.file_id }] };
  const respond = (questions: unknown[]) => fake.post(`rfis/${rfi.id}/respond`, { questions });
  return {
    ...fake,
    id: rfi.id as string,
    questionId,
    cardholderId: body.cardholder_id,
    question,
    answer,
    respond,
  };
}

describe("RFIs", () => {
  test("are listed by status and type, newest first, in pages with a token", async () => {
    const { get, admin, id, question } = await asked();
    const { body: newer } = await admin("POST", "/rfis", { questions: [question] });
    await admin("POST", "/rfis", { type: "KYC", questions: [question] });
    const query = "rfis?types=CARDHOLDER&statuses=ACTION_REQUIRED&page_size=1";
    const { body: first } = await get(query);
    expect(first).toMatchObject({ items: [{ id: newer.id }], page_after: "1" });
    const { body: second } = await get(`${query}&page=${first.page_after}`);
    expect(second).toMatchObject({ items: [{ id, status: "ACTION_REQUIRED", answered_requests: [] }] });
    expect(second).not.toHaveProperty("page_after");
    await admin("POST", `/rfis/${id}/close`);
    expect((await get("rfis?types=CARDHOLDER&statuses=ACTION_REQUIRED")).body.items).toHaveLength(1);
    expect((await get("rfis?status=CLOSED")).body.source).toBe("status");
    expect((await get("rfis/unknown")).status).toBe(404);
  });

  test("are answered once, and the review of an incomplete cardholder continues", async () => {
    const { respond, questionId, answer, admin, id, cardholderId } = await asked();
    const answered = [{ id: questionId, answer }];
    expect(await respond(answered)).toMatchObject({
      status: 200,
      body: { id, status: "ANSWERED", active_request: { questions: [{ id: questionId, answer }] } },
    });
    expect(await respond(answered)).toMatchObject({ status: 400, body: { code: "bad_request" } });
    const { body } = await admin("GET", "/effects");
    expect(body.cardholders).toMatchObject([{ status: "PENDING" }]);
    expect(body.events.map(({ name, data }: { name: string; data: object }) => [name, data])).toMatchObject([
      ["issuing.cardholder.incomplete", { cardholder_id: cardholderId }],
      ["rfi.action_required", { id }],
      ["rfi.answered", { id }],
      ["issuing.cardholder.pending", { cardholder_id: cardholderId }],
    ]);
    expect(body.events[1].data).toEqual({ id });
  });

  test.each<[string, (questionId: string, answer: object) => unknown[]]>([
    ["questions", () => []],
    ["questions", (_, answer) => [{ id: "other", answer }]],
    ["questions[0].answer.type", (id, answer) => [{ id, answer: { ...answer, type: "TEXT" } }]],
    ["questions[0].answer", (id) => [{ id, answer: { type: "ATTACHMENT", attachments: [] } }]],
    [
      "questions[0].answer",
      (id) => [{ id, answer: { type: "ATTACHMENT", attachments: [{ file_id: "none" }] } }],
    ],
    ["questions[0].answer.file", (id, answer) => [{ id, answer: { ...answer, file: "1" } }]],
  ])("refuse a response with a wrong %s", async (source, questionsOf) => {
    const { respond, questionId, answer, get, id } = await asked();
    expect(await respond(questionsOf(questionId, answer))).toMatchObject({
      status: 400,
      body: { code: "invalid_argument", source },
    });
    expect((await get(`rfis/${id}`)).body.status).toBe("ACTION_REQUIRED");
  });

  test("ask again after an answer, which then is among the answered requests", async () => {
    const { respond, questionId, answer, admin, get, id, question } = await asked();
    const again = {
      questions: [{ id: questionId }, { ...question, key: "ID_COPY", type: "IDENTITY_DOCUMENT" }],
    };
    expect((await admin("POST", `/rfis/${id}/follow_up`, again)).status).toBe(400);
    await respond([{ id: questionId, answer }]);
    await admin("POST", `/rfis/${id}/follow_up`, again);
    const { body } = await get(`rfis/${id}`);
    expect(body).toMatchObject({
      status: "ACTION_REQUIRED",
      active_request: { questions: [{ id: questionId, answer: { type: "ATTACHMENT" } }, { key: "ID_COPY" }] },
      answered_requests: [{ questions: [{ id: questionId, answer }] }],
    });
    expect(body.active_request.questions[0].answer).toEqual({ type: "ATTACHMENT" });
    const document = { type: "IDENTITY_DOCUMENT", identity_document: { back_file_id: "none" } };
    const refused = await respond([
      { id: questionId, answer },
      { id: body.active_request.questions[1].id, answer: document },
    ]);
    expect(refused.body.source).toBe("questions[1].answer");
  });

  test("are opened at once for a cardholder whose e-mail has the tag +rfi", async () => {
    const fake = await runFake();
    const request = cardholder({ email: "jane+pending+rfi@example.com" });
    const { body } = await fake.post("issuing/cardholders/create", request);
    const { body: page } = await fake.get("rfis");
    const source = { id: body.cardholder_id, type: "CARDHOLDER" };
    expect(page.items).toMatchObject([{ active_request: { questions: [{ sources: [source] }] } }]);
  });
});

test("an update of a READY cardholder is reviewed if a test wants it", async () => {
  const fake = await runFake();
  const { body } = await fake.post("issuing/cardholders/create", cardholder());
  const path = `issuing/cardholders/${body.cardholder_id}/update`;
  const { individual } = cardholder();
  expect((await fake.post(path, { individual })).body.status).toBe("READY");
  await fake.admin("PUT", "/settings", { updatedStatus: "PENDING" });
  expect((await fake.post(path, { individual })).body.status).toBe("PENDING");
});
