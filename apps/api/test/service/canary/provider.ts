import { expect, it } from "vitest";
import { http } from "../../deep/faults/cluster/http-bytes.ts";
import type { QuotedCall } from "../../deep/faults/cluster/provider-proxy.ts";
import type { Canary } from "./canary.ts";
import type { Marks } from "./marks.ts";

/** Sends marks in the responses of a provider that is wrong, fails or is unavailable. */
export function sendThroughProvider({ services, marks, words, ask, askBoth, submitted }: Canary): void {
  it("a provider with unknown raw values", async () => {
    const submission = marks.submission();
    const answer = ({ reference, body }: QuotedCall) => {
      const { userReference } = JSON.parse(body);
      const said = { status: words.next(), cardAccountId: words.next(), revision: 1 };
      return http(200, JSON.stringify({ reference, userReference, ...said }));
    };
    const { well } = services();
    well.provider.plan(submission.email, { put: [{ effect: false, answer }] });
    const { status, body } = await ask("kyc.submit", "REST", submission);
    expect(status).toBe(200);
    expect(words.findIn(body)).not.toEqual([]);
    await expect.poll(well.output).toContain("provider_sub_status_unmapped");
  });

  it("a failing provider for card lists", async () => {
    const { well } = services();
    const { memberId } = await submitted();
    const quote = JSON.stringify({
      error: { code: marks.next(), message: marks.next() },
      items: [marks.next()],
    });
    const listing = async (status: number, headers?: Record<string, string>) => {
      const fault = { effect: false, answer: http(status, quote, headers) };
      well.provider.plan("cards", { ask: [fault, fault] });
      return askBoth("cards.list", () => ({ memberId }));
    };
    expect(await listing(200)).toEqual([502, 502]);
    expect(await listing(400)).toEqual([502, 502]);
    expect(await listing(302, { location: `https://${marks.next()}/` })).toEqual([502, 502]);
    expect(await listing(429, { "retry-after": marks.next() })).toEqual([503, 503]);
    expect(await listing(401, { "www-authenticate": marks.next() })).toEqual([503, 503]);
  });

  it("a provider that never responds", async () => {
    const sent = { service: services().failing };
    const submission = marks.submission();
    expect(await askBoth("kyc.submit", () => submission, sent)).toEqual([200, 200]);
    const silence = { effect: false, answer: "never" as const };
    sent.service.provider.plan("cards", { ask: [silence, silence] });
    const { memberId } = submission;
    expect(await askBoth("cards.list", () => ({ memberId }), sent)).toEqual([504, 504]);
  });

  it("a provider that is unavailable", async () => {
    const { memberId } = await submitted();
    const { provider } = services().well;
    provider.down();
    expect(await askBoth("cards.list", () => ({ memberId }))).toEqual([503, 503]);
    expect(await askBoth("kyc.submit", () => marks.submission())).toEqual([202, 200]);
    provider.up();
  });

  it("a provider that quotes the request", async () => {
    const { failing } = services();
    for (const [index, answer] of quotes(marks).entries()) {
      const submission = marks.submission();
      const fault = { effect: false, answer: answer(JSON.stringify(submission)) };
      failing.provider.plan(submission.email, { put: [fault], ask: [fault, fault] });
      const { status } = await ask("kyc.submit", "REST", submission, { service: failing });
      const isSeen = failing.provider.seen.some(({ text }) => text.includes(submission.email));
      expect([index, status, isSeen]).toEqual([index, index === 0 ? 422 : 202, true]);
    }
    // Makes the worker query the provider now. It gets the same response.
    await failing.query("update kyc_records set due_at = now() where lease_until is null and due_at > now()");
    const asked = () =>
      failing.provider.seen.some(({ method, reference }) => method === "GET" && reference !== "");
    await expect.poll(asked).toBe(true);
  });
}

/** Responses of a provider that quote the submission. Only the first is the documented refusal. */
function quotes(marks: Marks): ((quote: string) => (call: QuotedCall) => ReturnType<typeof http>)[] {
  const quoted = () => ({ "x-quote": marks.next(), "retry-after": marks.next() });
  return [
    (quote) => (call) => http(422, refusal(call, quote), quoted()),
    (quote) => (call) => http(422, refusal(call, quote).replace("kyc_refused", marks.next()), quoted()),
    (quote) => (call) => http(200, refusal(call, quote)),
    ...[200, 400, 401, 404, 409, 429, 500, 503].map(
      (status) => (quote: string) => () => http(status, quote, quoted()),
    ),
    (quote) => () => http(200, `<html>${quote}`),
    (quote) => () => http(307, quote, { location: `https://${marks.next()}/` }),
    (quote) => () => http(200, quote, { "content-encoding": marks.next() }),
    (quote) => () => ({ bytes: `HTTP/1.1 ${quote}\r\n\r\n` }),
    (quote) => () => ({ bytes: quote }),
  ];
}

function refusal({ reference, body }: QuotedCall, quote: string): string {
  const { userReference } = JSON.parse(body || "{}");
  const reasons = [{ code: quote, field: quote, quote }, { code: "name_mismatch", field: quote }, quote];
  const error = { code: "kyc_refused", message: quote };
  return JSON.stringify({ reference, userReference, reasons, error, quote });
}
