import {
  kycReasonCodes,
  type ProviderAnswer,
  type ProviderDocumentRequest,
  type ProviderKycRequest,
  providerDocumentRequest,
} from "@cardbridge/domain";
import { expect, it } from "vitest";
import { newKycRequest } from "./inputs.ts";
import type { ConformanceSetup, Scenario, Traits } from "./setup.ts";

/** Tests of document requests and of `answerRequest`, for providers that ask for documents. */
export function describeRequests(
  setup: () => ConformanceSetup,
  { references }: Pick<Traits, "references">,
): void {
  /** The only document request of a submission, as a query shows it. */
  async function requestOf(request: ProviderKycRequest): Promise<ProviderDocumentRequest> {
    const found = await setup().provider.findKyc(request);
    const [asked, ...others] = (found.outcome === "answered" && found.requests) || [];
    if (!asked || others.length > 0) throw new Error("The provider does not have one request.");
    return asked;
  }

  /** Submits under a scenario that asks for a document. Returns the submission and an answer. */
  async function submitAsked(scenario: Scenario) {
    const request = newKycRequest(await setup().emailFor(scenario));
    await setup().provider.submitKyc(request);
    const { id, accepts } = await requestOf(request);
    const { reference, userReference, steps, files } = request;
    const answer: ProviderAnswer = {
      ...{ reference, userReference, steps, files },
      requestId: id,
      answerReference: `ans_${reference}`,
      documents: [{ documentType: accepts[0] ?? "", fileUrl: "https://files.example/answer.png" }],
    };
    return { request, answer };
  }

  function send(answer: ProviderAnswer) {
    const { provider } = setup();
    if (!provider.answerRequest) throw new Error("The adapter does not answer requests.");
    return provider.answerRequest(answer);
  }

  /** The setup for document requests. */
  function documents() {
    const { documents: required } = setup();
    if (!required) throw new Error("The trait `requests` requires `documents` in the setup.");
    return required;
  }

  const other = (answer: ProviderAnswer, answerReference: string): ProviderAnswer => ({
    ...answer,
    answerReference,
    documents: answer.documents.map((one) => ({ ...one, fileUrl: "https://files.example/other.png" })),
  });

  it("returns an open request with the verdict of a submission, a repetition and a query", async () => {
    const { provider, emailFor, statuses } = setup();
    const request = newKycRequest(await emailFor("asks-document"));
    const answer = await provider.submitKyc(request);
    expect(answer).toMatchObject({ outcome: "answered", subStatus: statuses.pending });
    const asked = await requestOf(request);
    expect(answer).toMatchObject({ requests: [asked] });
    expect(await provider.submitKyc(request)).toEqual(answer);
    expect(providerDocumentRequest.parse(asked)).toEqual(asked);
    expect(asked).toMatchObject({ status: "open", accepts: expect.arrayContaining([expect.any(String)]) });
  });

  it("returns no request for a submission that the provider does not ask about", async () => {
    const { provider, emailFor } = setup();
    const answer = await provider.submitKyc(newKycRequest(await emailFor("pending")));
    expect(("requests" in answer && answer.requests) || []).toEqual([]);
  });

  it("answers once, however often and concurrently the answer is sent", async () => {
    const { request, answer } = await submitAsked("asks-document");
    const open = await requestOf(request);
    const replies = await Promise.all([1, 2, 3, 4].map(() => send(answer)));
    replies.push(await send(answer));
    for (const reply of replies) expect(reply).toEqual({ outcome: "accepted" });
    expect(await documents().answers(request)).toHaveLength(1);
    const answered = await requestOf(request);
    expect(["answered", "closed"]).toContain(answered.status);
    expect(answered.revision).toBeGreaterThan(open.revision);
  });

  it("returns unknown for another answer to an answered request, and for other content under its reference", async () => {
    const { request, answer } = await submitAsked("asks-document");
    await send(answer);
    const used = references ? [answer.answerReference] : [];
    for (const reference of [...used, `${answer.answerReference}_2`])
      expect(await send(other(answer, reference))).toMatchObject({ outcome: "unknown" });
    expect(await documents().answers(request)).toHaveLength(1);
  });

  it("returns unknown for a lost response, and a query shows the answer", async () => {
    const { request, answer } = await submitAsked("asks-answer-lost");
    const lost = send(answer);
    await documents().passDeadline(request);
    expect(await lost).toMatchObject({ outcome: "unknown" });
    expect(["answered", "closed"]).toContain((await requestOf(request)).status);
    expect(await documents().answers(request)).toHaveLength(1);
  });

  it("returns unknown for a lost answer, a query shows the open request, and it can be sent again", async () => {
    const { request, answer } = await submitAsked("asks-request-lost");
    const lost = send(answer);
    await documents().passDeadline(request);
    expect(await lost).toMatchObject({ outcome: "unknown" });
    expect((await requestOf(request)).status).toBe("open");
    expect(await documents().answers(request)).toHaveLength(0);
    expect(await send(answer)).toEqual({ outcome: "accepted" });
    expect(await documents().answers(request)).toHaveLength(1);
  });

  it("returns a refusal with its reason for every repetition, and another answer is accepted", async () => {
    const { request, answer } = await submitAsked("asks-refused");
    const refused = await send(answer);
    if (refused.outcome !== "refused") throw new Error("The answer is not refused.");
    expect(kycReasonCodes).toContain(refused.reason);
    expect(await send(answer)).toEqual(refused);
    expect((await requestOf(request)).status).toBe("open");
    expect(await documents().answers(request)).toHaveLength(0);
    expect(await send(other(answer, `${answer.answerReference}_2`))).toEqual({ outcome: "accepted" });
    expect(await documents().answers(request)).toHaveLength(1);
  });

  it("sends the documents and never a member id, even if the input has one", async () => {
    const { request, answer } = await submitAsked("asks-document");
    const memberId = "member-7f3c9a51e0";
    const documentsOf = answer.documents.map((one) => Object.assign({ memberId }, one));
    await send(Object.assign({ memberId }, answer, { documents: documentsOf }));
    const received = JSON.stringify(await documents().answers(request));
    expect(received).toContain(documents().received);
    expect(received).not.toContain(memberId);
  });
}
