import { reasonMessages } from "@cardbridge/domain";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readAnswer, restSubmit, trpcSubmit, withoutRequestId } from "../support/call.ts";
import { newSubmission, startTestService } from "../support/test-service.ts";

/** The service with real components: PostgreSQL, and the sandbox over HTTP. */
let service: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => {
  service = await startTestService({ events: false });
});
afterAll(() => service.stop());

interface Body {
  kycRecordId: string;
}

async function get(path: string) {
  const { fetch, key } = service.caller();
  return readAnswer(await fetch(path, { headers: { authorization: `Bearer ${key}` } }));
}

/** The response to a submission, and the responses of reading it, which are equal over both transports. */
async function submitted(tag: string) {
  const submission = newSubmission(tag);
  const answer = await restSubmit(service.caller(), submission);
  const { kycRecordId } = answer.body as Body;
  const latest = await get(`/openapi/v1/users/kyc?memberId=${submission.memberId}`);
  const history = await get(`/openapi/v1/users/kyc/${kycRecordId}`);
  const input = encodeURIComponent(JSON.stringify({ kycRecordId }));
  expect((await get(`/trpc/kyc.history?input=${input}`)).body).toEqual(history.body);
  return { submission, answer, latest: latest.body, history: history.body };
}

const reason = (code: keyof typeof reasonMessages, field: string | null) => ({
  code,
  field,
  message: reasonMessages[code],
});
const unreadable = reason("DOCUMENT_UNREADABLE", "/frontImageUrl");

describe("a refusal (G28)", () => {
  it("names its reasons, also when it is repeated or read", async () => {
    const { submission, answer, latest, history } = await submitted("document-unreadable+unknown-reason");
    expect(answer).toMatchObject({
      status: 422,
      body: {
        code: "KYC_REFUSED",
        errors: [
          { path: "/frontImageUrl", rule: "DOCUMENT_UNREADABLE", message: unreadable.message },
          { path: "/frontImageUrl", rule: "OTHER" },
        ],
        externalUserId: expect.stringMatching(/^usr_/),
        subStatus: null,
        cardAccountId: null,
        final: false,
      },
    });
    for (const again of [restSubmit, trpcSubmit]) {
      const { status, body } = await again(service.caller(), submission);
      expect([status, withoutRequestId(body)]).toEqual([422, withoutRequestId(answer.body)]);
    }
    const reasons = [unreadable, reason("OTHER", "/frontImageUrl")];
    expect(latest).toMatchObject({ success: false, code: "KYC_REFUSED", reasons, final: false });
    expect(history).toMatchObject({
      history: [
        { code: "KYC_ACCEPTED", source: "submission" },
        { code: "KYC_REFUSED", source: "provider", status: null, reasons, final: false },
      ],
    });
  });
});

describe("a reason for compliance only (G28)", () => {
  it.each([
    ["refused", "fraud-suspected+final"],
    ["rejected", "rejected+watch-list-match+final"],
  ])("leaves no trace: %s", async (plain, tag) => {
    const same = await submitted(plain);
    const restricted = await submitted(tag);
    // Only ids, the users and times differ.
    const shape = ({ answer, latest, history }: typeof same) =>
      JSON.stringify([answer.status, answer.body, latest, history])
        .replace(/(kyc|usr|req)_\w+/g, "$1")
        .replace(/"memberId":"[^"]+"/, "")
        .replace(/"20[^"]+Z"/g, '""');
    expect(shape(restricted)).toBe(shape(same));
  });
});
