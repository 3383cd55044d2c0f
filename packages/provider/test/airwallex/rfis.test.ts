import { type ForkedFake, forkFake } from "@cardbridge/airwallex-fake";
import type {
  AnswerFile,
  ProviderAnswer,
  ProviderDocumentRequest,
  ProviderKycRequest,
} from "@cardbridge/domain";
import { Failure } from "@cardbridge/domain";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { connectAirwallex } from "../support/airwallex.ts";

let fake: ForkedFake;
beforeAll(async () => {
  fake = await forkFake();
});
afterEach(() => fake.reset());
afterAll(() => fake.close());

const rfis = { method: "GET", path: "/api/v1/rfis" };
const responding = { method: "POST", path: "/api/v1/rfis/" };
const address = { key: "PROOF_OF_ADDRESS" };
const identity = { key: "ID_COPY", type: "IDENTITY_DOCUMENT" };

type Asked = Record<string, unknown>;

/** A cardholder in review, and what tests do with it. */
async function inReview() {
  const connected = connectAirwallex(fake);
  const { provider } = connected;
  const request = connected.newRequest({ email: `ada+pending+${crypto.randomUUID()}@example.com` });
  await provider.submitKyc(request);
  const kept = await request.steps.done("cardholder");
  const source = { id: kept?.id ?? "" };
  const about = (questions: readonly Asked[]) => questions.map((one) => ({ sources: [source], ...one }));
  return {
    ...connected,
    request,
    source,
    /** Airwallex asks these questions in one RFI, about this cardholder unless they name others. */
    ask: (questions: readonly Asked[], more: object = {}) =>
      fake.admin<{ id: string }>("POST", "/rfis", { questions: about(questions), ...more }),
    followUp: (id: string, questions: readonly Asked[]) =>
      fake.admin("POST", `/rfis/${id}/follow_up`, { questions: about(questions) }),
    async requests(): Promise<readonly ProviderDocumentRequest[]> {
      const found = await provider.findKyc(request);
      if (found.outcome !== "answered") throw new Error(`The query is ${found.outcome}.`);
      return found.requests ?? [];
    },
    answer: (answers: readonly ProviderDocumentRequest[], reference = "ans_1") =>
      provider.answerRequest?.(answerTo(request, answers, reference)),
  };
}

function answerTo(
  request: ProviderKycRequest,
  asked: readonly ProviderDocumentRequest[],
  answerReference: string,
) {
  const { reference, userReference, steps, files } = request;
  const given = asked.map(({ id, accepts }) => ({
    requestId: id,
    documents: accepts.slice(0, 2).map(documentOf),
  }));
  const [first = { requestId: "", documents: [] }, ...others] = given;
  return {
    reference,
    userReference,
    steps,
    files,
    answerReference,
    ...first,
    others,
  } satisfies ProviderAnswer;
}
const documentOf = (documentType: string): AnswerFile => ({
  documentType,
  fileUrl: "https://files.example/a.png",
});

const responses = async () => (await fake.requests()).filter(({ path }) => path.endsWith("/respond"));
const rfiOf = async (id: string) => (await fake.effects()).rfis.find((one) => one.id === id);

describe("a request for information", () => {
  it("is one document request for each question, with its time limit", async () => {
    const { ask, requests } = await inReview();
    const { id } = await ask([address, { key: "ID_COPY" }, identity], {
      expires_at: "2027-01-31T12:00:00+0000",
    });
    const shown = await requests();
    expect(shown.map(({ documentType, accepts }) => [documentType, accepts.length])).toEqual([
      ["ADDRESS_PROOF", 4],
      ["ID_COPY", 2],
      ["ID_COPY", 2],
    ]);
    for (const request of shown) {
      expect(request).toMatchObject({ status: "open", reason: null, dueAt: "2027-01-31T12:00:00.000Z" });
      expect(request.id).toContain(id);
    }
    const [together, ...others] = new Set(shown.map((request) => request.together));
    expect(together).toContain(id);
    expect(others).toEqual([]);
  });

  it.each(["TEXT", "CONFIRMATION", "LIVENESS", "ADDRESS"])(
    "of the type %s accepts no file: a person acts",
    async (type) => {
      const { ask, requests } = await inReview();
      await ask([{ key: "PROOF_OF_ADDRESS", type }, { type }]);
      expect(await requests()).toMatchObject([
        { documentType: "ADDRESS_PROOF", accepts: [] },
        { documentType: type, accepts: [] },
      ]);
    },
  );

  it.each<[string, Asked, string]>([
    ["an unknown key", { key: "SOURCE_OF_FUNDS" }, "SOURCE_OF_FUNDS"],
    ["a key that is no name", { key: "Please, Ada Example!" }, "ATTACHMENT"],
    ["the name of a method as its key", { key: "constructor" }, "ATTACHMENT"],
    ["an unknown source", { ...address, sources: [{ id: "x", type: "ACCOUNT" }] }, "ADDRESS_PROOF"],
    ["no source", { ...address, sources: [] }, "ADDRESS_PROOF"],
  ])("with %s accepts no file, and the other questions do", async (_, question, documentType) => {
    const { ask, requests } = await inReview();
    await ask([address, question]);
    const [known, unknown] = await requests();
    expect(known?.accepts).not.toEqual([]);
    expect(unknown).toMatchObject({ documentType, accepts: [] });
  });

  it("about several cardholders shows each of them its own questions, which no file answers", async () => {
    const { ask, requests, source } = await inReview();
    await ask([
      address,
      { ...identity, sources: [{ id: "another" }] },
      { ...address, sources: [source, { id: "another" }] },
    ]);
    expect(await requests()).toMatchObject([{ documentType: "ADDRESS_PROOF", accepts: [] }]);
  });

  it("of another cardholder or another type is not shown", async () => {
    const { ask, requests } = await inReview();
    await ask([{ ...address, sources: [{ id: "another" }] }]);
    await ask([address], { type: "KYC" });
    expect(await requests()).toEqual([]);
  });

  it("is found behind a hundred others, and one that cannot be read hides no other", async () => {
    const { ask, requests } = await inReview();
    const { id } = await ask([address]);
    for (let count = 0; count < 101; count += 1) await ask([{ ...address, sources: [{ id: "another" }] }]);
    expect(await requests()).toHaveLength(1);
    const pages = (await fake.requests()).filter(({ path }) => path === rfis.path);
    expect(pages).toHaveLength(3);
    await fake.fail({
      kind: "merge",
      ...rfis,
      fields: { items: [{ id: "a/b" }, 1, await rfiOf(id)], page_after: null },
    });
    expect(await requests()).toHaveLength(1);
  });

  it.each([
    [
      "an account without the permission",
      { kind: "answer", status: 403, body: { code: "access_denied", message: "…" } },
    ],
    ["an error", { kind: "html", status: 500, times: 3 }],
    ["a list without an end", { kind: "merge", times: 10, fields: { items: [], page_after: "0" } }],
  ])("leaves the verdict as it is after %s", async (_, fault) => {
    const { provider, request, ask } = await inReview();
    await ask([address]);
    await fake.fail({ ...rfis, ...fault });
    const found = await provider.findKyc(request);
    expect(found).toEqual({
      outcome: "answered",
      subStatus: "PENDING",
      status: "PENDING_APPROVAL",
      cardAccountId: null,
      revision: null,
    });
    expect(await fake.pendingFaults()).toBe(0);
  });

  it("leaves submissions possible while Airwallex's API for it is down", async () => {
    const { provider, request, newRequest } = await inReview();
    await fake.fail({ kind: "html", ...rfis, status: 503, times: 1_000 });
    for (let times = 0; times < 20; times += 1) await provider.findKyc(request);
    expect(provider.state().breakers).toMatchObject({ rfis: "open", kyc: "closed" });
    expect(await provider.submitKyc(newRequest())).toMatchObject({ subStatus: "READY" });
  });

  it("stays known after it was answered in Airwallex's web app, and after it was closed", async () => {
    const { ask, requests, answer } = await inReview();
    const { id } = await ask([address]);
    const open = await requests();
    await answer(open);
    const [answered] = await requests();
    expect(answered).toMatchObject({ id: open[0]?.id, status: "answered" });
    await fake.admin("POST", `/rfis/${id}/close`);
    const second = await ask([address]);
    await requests();
    const both = await requests();
    expect(both.map(({ status }) => status)).toEqual(["open", "closed"]);
    expect(both[0]?.id).toContain(second.id);
    const revisions = [open[0], answered, both[1]].map((one) => one?.revision ?? 0);
    expect(revisions).toEqual(revisions.toSorted((one, other) => one - other));
    expect(new Set(revisions).size).toBe(3);
  });

  it("is not read for a final verdict", async () => {
    const { provider, request, ask, source } = await inReview();
    await ask([address]);
    await fake.admin("PUT", `/cardholders/${source.id}`, { status: "READY" });
    const before = (await fake.requests()).length;
    expect(await provider.findKyc(request)).not.toHaveProperty("requests");
    expect(await fake.requests()).toHaveLength(before + 1);
  });
});

describe("an answer", () => {
  it("answers all questions in one response, with bodies of the SDK's models", async () => {
    const { ask, requests, answer } = await inReview();
    const { id } = await ask([address, identity]);
    expect(await answer(await requests())).toEqual({ outcome: "accepted" });
    const [response, ...others] = await responses();
    expect(others).toEqual([]);
    const file = expect.any(String);
    expect(response).toMatchObject({ path: `/api/v1/rfis/${id}/respond`, status: 200 });
    expect(response?.body).toMatchObject({
      questions: [
        { answer: { type: "ATTACHMENT", attachments: [{ file_id: file }, { file_id: file }] } },
        {
          answer: {
            type: "IDENTITY_DOCUMENT",
            identity_document: { front_file_id: file, back_file_id: file },
          },
        },
      ],
    });
    expect((await requests()).map(({ status }) => status)).toEqual(["answered", "answered"]);
  });

  it("continues the review of a cardholder that was incomplete", async () => {
    const { ask, requests, answer, source, provider, request } = await inReview();
    await fake.admin("PUT", `/cardholders/${source.id}`, { status: "INCOMPLETE" });
    await ask([address]);
    expect(await provider.findKyc(request)).toMatchObject({ status: "PENDING", subStatus: "INCOMPLETE" });
    await answer(await requests());
    expect(await provider.findKyc(request)).toMatchObject({ status: "PENDING_APPROVAL" });
  });

  it("is not sent if the RFI asks for more than was answered", async () => {
    const { ask, requests, answer } = await inReview();
    await ask([address, identity]);
    const [first] = await requests();
    expect(await answer(first ? [first] : [])).toEqual({ outcome: "unsent", reason: "mismatched" });
    expect(await responses()).toEqual([]);
  });

  it("of the first round does not answer a follow-up, which is a request of its own", async () => {
    const { ask, followUp, requests, answer } = await inReview();
    const { id } = await ask([address]);
    const first = await requests();
    await answer(first);
    const question = (await rfiOf(id))?.active_request?.questions[0]?.id;
    await followUp(id, [{ id: question }, identity]);
    const shown = await requests();
    expect(shown.map(({ status, documentType }) => [status, documentType])).toEqual([
      ["open", "ADDRESS_PROOF"],
      ["open", "ID_COPY"],
      ["answered", "ADDRESS_PROOF"],
    ]);
    expect(shown[2]?.id).toBe(first[0]?.id);
    expect(await answer(first)).toEqual({ outcome: "accepted" });
    expect(await responses()).toHaveLength(1);
    expect(await answer(shown.slice(0, 2), "ans_2")).toEqual({ outcome: "accepted" });
    expect((await rfiOf(id))?.answered_requests).toHaveLength(1);
  });

  it("is unknown if somebody answered in Airwallex's web app", async () => {
    const { ask, requests, answer, provider, request } = await inReview();
    await ask([address]);
    const open = await requests();
    await answer(open, "of somebody else");
    expect(await answer(open)).toEqual({ outcome: "unknown", reason: "mismatched" });
    expect(await provider.findKyc(request)).toMatchObject({ requests: [{ status: "answered" }] });
    expect(await responses()).toHaveLength(1);
  });

  it.each([
    ["the RFI cannot be read", { kind: "html", ...responding, method: "GET", status: 502, times: 3 }],
    [
      "a file cannot be uploaded",
      { kind: "html", method: "POST", path: "/api/v1/files/upload", status: 502 },
    ],
  ])("is unsent if %s", async (_, fault) => {
    const { ask, requests, answer } = await inReview();
    await ask([address]);
    const open = await requests();
    await fake.fail(fault);
    expect(await answer(open)).toEqual({ outcome: "unsent", reason: "status-502" });
    expect(await answer(open)).toEqual({ outcome: "accepted" });
  });

  it.each([
    ["a reset after the effect", { kind: "reset", after: true }],
    ["a 500 after the effect", { kind: "html", after: true, status: 500 }],
    ["a response about another RFI", { kind: "merge", fields: { id: "another" } }],
    ["a reset before the effect", { kind: "reset" }],
    ["a 409", { kind: "answer", status: 409, body: { code: "conflict", message: "…" } }],
    ["a 401", { kind: "expired_token" }],
  ])("is unknown after %s, and has one effect however often it is sent again", async (_, fault) => {
    const { ask, requests, answer } = await inReview();
    const { id } = await ask([address]);
    const open = await requests();
    await fake.fail({ ...responding, ...fault });
    expect(await answer(open)).toMatchObject({ outcome: "unknown" });
    for (let times = 0; times < 2; times += 1) expect(await answer(open)).toEqual({ outcome: "accepted" });
    expect(await rfiOf(id)).toMatchObject({ status: "ANSWERED", answered_requests: [] });
    const { events } = await fake.effects();
    expect(events.filter(({ name }) => name === "rfi.answered")).toHaveLength(1);
  });

  it("has one effect, wherever the process crashes between two calls", async () => {
    for (let count = 1; count <= 3; count += 1) {
      const { ask, requests, provider, request, answer } = await inReview();
      const { id } = await ask([address, identity]);
      const open = await requests();
      let calls = 0;
      const die = async <T>(work: Promise<T>) => {
        const result = await work;
        calls += 1;
        if (calls === count) throw new Failure("SERVICE_UNAVAILABLE");
        return result;
      };
      const { steps } = request;
      const dying = {
        done: (name: string) => die(steps.done(name)),
        keep: (...kept: Parameters<typeof steps.keep>) => die(steps.keep(...kept)),
      };
      await provider.answerRequest?.({ ...answerTo(request, open, "ans_1"), steps: dying }).catch(() => {});
      expect(await answer(open), `at call ${count}`).toEqual({ outcome: "accepted" });
      expect(await rfiOf(id)).toMatchObject({ status: "ANSWERED" });
    }
  });
});

describe("a look-up of an event", () => {
  it("finds the cardholders of an RFI, also those of earlier rounds", async () => {
    const { ask, provider, source } = await inReview();
    const { id } = await ask([address, { ...identity, sources: [{ id: "another" }] }]);
    const found = await provider.findAsked?.(id);
    expect(found).toEqual(
      [source.id, "another"].map((cardholder) => ({ step: "cardholder", id: cardholder })),
    );
  });

  it("finds nothing for an unknown RFI and one of another type, and fails while Airwallex fails", async () => {
    const { ask, provider } = await inReview();
    const { id } = await ask([address], { type: "TRANSACTION" });
    expect(await provider.findAsked?.(id)).toEqual([]);
    expect(await provider.findAsked?.("unknown")).toEqual([]);
    await fake.fail({ kind: "html", ...rfis, status: 404 });
    await expect(provider.findAsked?.(id)).rejects.toMatchObject({ code: "PROVIDER_ANSWER_INVALID" });
    await fake.fail({ kind: "html", ...rfis, status: 500, times: 3 });
    await expect(provider.findAsked?.(id)).rejects.toMatchObject({ code: "PROVIDER_UNAVAILABLE" });
  });
});
