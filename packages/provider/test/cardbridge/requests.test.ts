import {
  kycReasonCodes,
  maxRequests,
  type ProviderAnswer,
  providerDocumentRequest,
} from "@cardbridge/domain";
import { describe, expect, it } from "vitest";
import { memorySteps } from "../../src/conformance/inputs.ts";
import { listen } from "../support/listener.ts";
import { connect } from "../support/provider.ts";
import { always, kycQuery, kycReference, state } from "../support/responses.ts";

const asked = {
  requestId: "req_1",
  documentType: "BANK_STATEMENT",
  accepts: ["BANK_STATEMENT"],
  reason: "supporting_document_missing",
  requestedAt: "2026-01-31T20:00:00+08:00",
  dueAt: "2026-02-14T12:00:00Z",
  status: "open",
  revision: 1,
};
const ours = {
  id: "req_1",
  documentType: "BANK_STATEMENT",
  accepts: ["BANK_STATEMENT"],
  reason: "SUPPORTING_DOCUMENT_MISSING",
  requestedAt: "2026-01-31T12:00:00.000Z",
  dueAt: "2026-02-14T12:00:00.000Z",
  status: "open",
  revision: 1,
};

/** The verdict of a query whose state has these requests, and what was observed. */
async function find(requests: unknown) {
  const { url } = await listen(always(200, { ...state, requests }));
  const { provider, observed } = connect(url);
  return { verdict: await provider.findKyc(kycQuery), observed };
}

const dropped = {
  event: "provider_answer_unreadable",
  labels: { operation: "findKyc", reason: "wrong-shape" },
};

describe("the requests of a verdict", () => {
  it("have the service's codes and times in UTC, and drop unknown fields", async () => {
    const { verdict, observed } = await find([
      { ...asked, text: "Please send it by fax." },
      { ...asked, requestId: "req_2", documentType: "VIDEO_CALL", accepts: [], reason: null, dueAt: null },
      { ...asked, requestId: "req_3", status: "answered", revision: 2, dueAt: undefined },
    ]);
    expect(verdict).toEqual({
      outcome: "answered",
      subStatus: "approved",
      cardAccountId: "acct_1",
      revision: 1,
      requests: [
        ours,
        { ...ours, id: "req_2", documentType: "VIDEO_CALL", accepts: [], reason: null, dueAt: null },
        { ...ours, id: "req_3", status: "answered", revision: 2, dueAt: null },
      ],
    });
    expect(observed).toEqual([]);
  });

  it.each([undefined, null])("are absent if the state does not say: %s", async (requests) => {
    const { verdict, observed } = await find(requests);
    expect(verdict).toMatchObject({ outcome: "answered" });
    expect(verdict).not.toHaveProperty("requests");
    expect(observed).toEqual([]);
  });

  it("have no reason that is restricted, unknown or invalid", async () => {
    const reasons = ["sanctions_match", "photo_of_a_photo", "constructor", 7, {}, ["document_expired"], ""];
    const { verdict, observed } = await find(
      reasons.map((reason, index) => ({ ...asked, requestId: `req_${index}`, reason })),
    );
    const read = "requests" in verdict ? (verdict.requests ?? []) : [];
    expect(read.map(({ reason }) => reason)).toEqual(reasons.map(() => null));
    expect(observed).toEqual([]);
  });

  it.each<[string, unknown]>([
    ["no id", { requestId: undefined }],
    ["a card number for an id", { requestId: "4242424242424242" }],
    ["an id with a space", { requestId: "req 1" }],
    ["a type in another form", { documentType: "bank statement" }],
    ["no types", { accepts: undefined }],
    ["too many types", { accepts: Array.from({ length: 21 }, () => "SELFIE") }],
    ["no time", { requestedAt: "soon" }],
    ["a due time that is no time", { dueAt: "soon" }],
    ["an unknown status", { status: "waiting" }],
    ["no revision", { revision: null }],
  ])("are dropped and observed with %s, and the verdict stays", async (_, changes) => {
    const { verdict, observed } = await find([
      asked,
      Object.assign({ ...asked, requestId: "req_2" }, changes),
    ]);
    expect(verdict).toMatchObject({ outcome: "answered", subStatus: "approved", requests: [ours] });
    expect(observed).toEqual([dropped]);
  });

  it.each([{}, "none", 7, [null], ["req_1"]])("are dropped and observed: %j", async (requests) => {
    const { verdict, observed } = await find(requests);
    expect(verdict).toMatchObject({ outcome: "answered", subStatus: "approved" });
    expect(("requests" in verdict && verdict.requests) || []).toEqual([]);
    expect(observed).toEqual([dropped]);
  });

  it("are each listed once, and at most as many as the service stores", async () => {
    const many = Array.from({ length: maxRequests + 5 }, (_, index) => ({
      ...asked,
      requestId: `r${index}`,
    }));
    const { verdict, observed } = await find([...many.slice(0, 3), ...many]);
    const read = "requests" in verdict ? (verdict.requests ?? []) : [];
    expect(read.map(({ id }) => id)).toEqual(many.slice(0, maxRequests).map(({ requestId }) => requestId));
    for (const request of read) expect(providerDocumentRequest.parse(request)).toEqual(request);
    expect(observed).toEqual([dropped]);
  });
});

const ids = { ...kycReference, requestId: "req_1" };
const answer: ProviderAnswer = {
  ...ids,
  answerReference: "ans_1",
  documents: [{ documentType: "BANK_STATEMENT", fileUrl: "https://files.example/new.pdf" }],
  steps: memorySteps(),
  files: { url: (fileUrl) => `${fileUrl}?signature=1`, open: async () => new Blob() },
};
const accepted = { ...ids, answerReference: "ans_1" };

/** The reply to an answer after a response, with what was observed and received. */
async function send(...response: Parameters<typeof always>) {
  const { url, requests } = await listen(always(...response));
  const { provider, observed } = connect(url);
  return { reply: await provider.answerRequest?.(answer), observed, requests };
}

describe("an answer", () => {
  it("is a PUT of its documents with signed URLs, and accepted by a response about it", async () => {
    const { reply, requests } = await send(200, { ...accepted, more: true });
    expect(reply).toEqual({ outcome: "accepted" });
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({
      method: "PUT",
      target: "/v1/kyc/kyc_1/requests/req_1/answers/ans_1",
    });
    expect(JSON.parse(requests[0]?.body ?? "")).toEqual({
      userReference: "usr_1",
      documents: [{ type: "BANK_STATEMENT", fileUrl: "https://files.example/new.pdf?signature=1" }],
    });
  });

  it("encodes the provider's id in its path", async () => {
    const { url, requests } = await listen(always(200, { ...accepted, requestId: "a/../b?c" }));
    const { provider } = connect(url);
    expect(await provider.answerRequest?.({ ...answer, requestId: "a/../b?c" })).toEqual({
      outcome: "accepted",
    });
    expect(requests[0]?.target).toBe("/v1/kyc/kyc_1/requests/a%2F..%2Fb%3Fc/answers/ans_1");
  });

  it.each([
    [[{ code: "document_unreadable" }], "DOCUMENT_UNREADABLE"],
    [[{ code: "sanctions_match" }, { code: "document_expired" }], "DOCUMENT_EXPIRED"],
    [[{ code: "sanctions_match" }], "OTHER"],
    [[{ code: "photo_of_a_photo" }, null, 7], "OTHER"],
    [[], "OTHER"],
    ["document_expired", "OTHER"],
    [undefined, "OTHER"],
  ])("that is refused for %j has the reason %s", async (reasons, reason) => {
    const { reply } = await send(422, { ...ids, reasons, error: { code: "answer_refused", message: "…" } });
    expect(reply).toEqual({ outcome: "refused", reason });
    expect(kycReasonCodes).toContain(reason);
  });

  it.each([
    [409, { error: { code: "request_not_open" } }],
    [409, { error: { code: "reference_conflict" } }],
    [404, { reference: "kyc_1", error: { code: "not_found" } }],
    [400, { error: { code: "bad_request" } }],
    [422, { ...ids, error: { code: "kyc_refused" } }],
    [500, {}],
    [202, accepted],
  ])("has an unknown outcome after a %i with %j", async (status, body) => {
    const { reply, requests } = await send(status, body);
    expect(reply).toEqual({ outcome: "unknown", reason: `status-${status}` });
    expect(requests).toHaveLength(1);
  });

  it("has an unknown outcome after a 429, with its Retry-After", async () => {
    const { reply } = await send(429, {}, { "retry-after": "7" });
    expect(reply).toEqual({ outcome: "unknown", reason: "status-429", retryAfterSeconds: 7 });
  });

  it.each([
    [200, { ...accepted, reference: "kyc_2" }],
    [200, { ...accepted, userReference: "usr_2" }],
    [200, { ...accepted, requestId: "req_2" }],
    [200, { ...accepted, answerReference: "ans_2" }],
    [422, { ...ids, requestId: "req_2", error: { code: "answer_refused" } }],
  ])("has an unknown outcome after a %i about another one: %j", async (status, body) => {
    const { reply, observed } = await send(status, body);
    expect(reply).toEqual({ outcome: "unknown", reason: "mismatched" });
    const labels = { operation: "answerRequest", reason: "mismatched" };
    expect(observed).toEqual([{ event: "provider_answer_mismatched", labels }]);
  });

  it("has an unknown outcome after an invalid response, and is unsent without a connection", async () => {
    const { reply, observed } = await send(200, "<p>It works!</p>");
    expect(reply).toEqual({ outcome: "unknown", reason: "not-json" });
    expect(observed).toMatchObject([{ event: "provider_answer_unreadable" }]);

    const { url, close } = await listen((socket) => socket.end());
    const { provider } = connect(url);
    await close();
    expect(await provider.answerRequest?.(answer)).toMatchObject({ outcome: "unsent" });
    const cut = await listen((socket) => socket.destroy());
    expect(await connect(cut.url).provider.answerRequest?.(answer)).toMatchObject({ outcome: "unknown" });
  });
});
