import { maxWebhookEndpoints } from "@cardbridge/domain";
import { expect, it } from "vitest";
import { bindings } from "../../support/bindings.ts";
import { type Canary, idOf } from "./canary.ts";

/** Sends marks in valid calls that their caller may not make, or may not make at this time. */
export function sendRefused({ services, marks, ask, askBoth, submitted }: Canary): void {
  it("invalid keys, and a key without a scope", async () => {
    const values = [
      marks.next(),
      `Bearer ${marks.next()}`,
      `Basic ${btoa(marks.next())}`,
      `Bearer cb_live_${marks.next()}`,
    ];
    // Every operation gets one of these headers, and a submission gets each.
    for (const [index, { operation, transport }] of bindings.entries()) {
      const { id, kind, example } = operation;
      const isSubmission = id === "kyc.submit";
      const input = () => (isSubmission ? marks.submission() : example.input) as object;
      for (const authorization of isSubmission ? values : [values[index % values.length] ?? ""]) {
        const { status } = await ask(id, transport, input(), { headers: { authorization } });
        expect([id, transport, status]).toEqual([id, transport, 401]);
      }
      const own = kind === "read" ? { memberId: marks.next() } : input();
      const { status } = await ask(id, transport, own, { key: services().keys.withoutScope });
      expect([id, transport, status]).toEqual([id, transport, 403]);
    }
  });

  it("submissions that conflict", async () => {
    const [first, second] = [marks.submission(), marks.submission("refused")];
    const headers = { "idempotency-key": marks.next() };
    expect((await ask("kyc.submit", "REST", first, { headers })).status).toBe(200);
    expect(await askBoth("kyc.submit", () => ({ ...first, occupation: marks.next() }))).toEqual([409, 409]);
    expect(await askBoth("kyc.submit", () => ({ ...first, memberId: marks.next() }))).toEqual([409, 409]);
    expect(await askBoth("kyc.submit", () => marks.submission(), { headers })).toEqual([422, 422]);
    expect(await askBoth("kyc.submit", () => second)).toEqual([422, 422]);
    const act = { memberId: first.memberId, act: "ask-document", documentType: "BANK_STATEMENT" };
    expect(await askBoth("sandbox.act", () => act, { headers: {} })).toEqual([409, 409]);
    // A user with a requested erasure cannot submit again. A hold keeps the worker from the erasure.
    const { query } = services().well;
    await query(
      `insert into holds (id, platform_id, user_id, reference, placed_by)
       select 'hold_canary', platform_id, id, 'canary', 'canary' from users order by created_at desc limit 1`,
    );
    const isHeld = "id = (select user_id from holds where id = 'hold_canary')";
    await query(`update users set erase_requested_at = now() where ${isHeld}`);
    expect(await askBoth("kyc.submit", () => ({ ...second, name: marks.next() }))).toEqual([409, 409]);
    await query(`update users set erase_requested_at = null where ${isHeld}`);
  });

  it("answers to no request, and other files for an answered one", async () => {
    const kycRecordId = idOf(await ask("kyc.submit", "REST", marks.submission("asks-bank-statement")));
    const { body } = await ask("kyc.history", "REST", { kycRecordId });
    const [documentRequestId = ""] = /dreq_[0-9a-z]+/.exec(body) ?? [];
    const answer = (id: string) => () => ({
      kycRecordId,
      documentRequestId: id,
      files: [{ documentType: "BANK_STATEMENT", fileUrl: `https://files.example.com/${marks.next()}.pdf` }],
    });
    expect(await askBoth("kyc.answerRequest", answer("dreq_nobody"))).toEqual([404, 404]);
    expect(await askBoth("kyc.answerRequest", answer(documentRequestId))).toEqual([200, 409]);
  });

  it("missing and conflicting platforms and keys, and missing holds", async () => {
    // A platform's id is not personal data: statements contain it.
    const [theirs, header] = ["plt_nobody", "x-cardbridge-platform"];
    const lists = (key: string) =>
      askBoth("cards.list", () => ({ memberId: marks.next() }), { key, headers: { [header]: theirs } });
    expect(await lists(services().keys.first)).toEqual([403, 403]);
    expect(await lists(services().keys.admin)).toEqual([404, 404]);
    const person = () => ({ "x-cardbridge-person": marks.next() });
    expect(await askBoth("cards.list", () => ({ memberId: marks.next() }), { headers: person() })).toEqual([
      401, 401,
    ]);
    const key = services().keys.admin;
    const order = { platformId: services().platformId, name: "twice", scopes: ["cards:read"] };
    const create = async () => (await ask("keys.create", "tRPC", order, { key })).status;
    expect([await create(), await create()]).toEqual([200, 409]);
    expect((await ask("keys.revoke", "tRPC", { keyId: marks.next() }, { key })).status).toBe(404);
    expect((await ask("pauses.resume", "tRPC", { pauseId: marks.next() }, { key })).status).toBe(404);
    const hold = { platformId: services().platformId, holdId: marks.next() };
    expect((await ask("holds.lift", "tRPC", hold, { key })).status).toBe(404);
  });

  it("proposals with marks, an equal one, and a missing one", async () => {
    const key = services().keys.admin;
    const { userReference: externalUserId } = await submitted();
    const user = { platformId: services().platformId, externalUserId };
    const relink = () => ({ ...user, email: `${marks.next()}@example.com`, note: marks.next() });
    const status = async (id: string, input: object) => (await ask(id, "tRPC", input, { key })).status;
    expect(await status("users.relink", relink())).toBe(200);
    expect(await status("users.relink", relink())).toBe(409);
    expect(await status("proposals.get", { proposalId: marks.next() })).toBe(404);
  });

  it("webhook endpoints and redeliveries up to their limits, and missing deliveries", async () => {
    const endpoint = { url: "https://hooks.example.com/", eventTypes: ["kyc.updated"] };
    const created = await ask("webhooks.create", "REST", endpoint);
    const { endpointId } = JSON.parse(created.body);
    for (let count = 1; count < maxWebhookEndpoints; count += 1)
      await ask("webhooks.create", "REST", endpoint);
    expect(await askBoth("webhooks.create", () => endpoint)).toEqual([409, 409]);
    expect(await askBoth("webhooks.test", () => ({ endpointId: marks.next() }))).toEqual([404, 404]);
    expect(await askBoth("webhooks.redeliver", () => ({ endpointId, deliveryId: marks.next() }))).toEqual([
      404, 404,
    ]);
    expect(await askBoth("webhooks.test", () => ({ endpointId }))).toEqual([200, 200]);
    const { deliveryId } = JSON.parse((await ask("webhooks.test", "REST", { endpointId })).body);
    // A worker may attempt the delivery, which is not redelivered meanwhile.
    const redeliver = () =>
      askBoth("webhooks.redeliver", () => ({ endpointId, deliveryId }), {
        headers: { "user-agent": marks.next() },
      });
    await expect.poll(redeliver).toEqual([429, 429]);
  });

  it("a resolved record", async () => {
    const key = services().keys.admin;
    const { kycRecordId } = await submitted();
    const input = { kycRecordId, decision: { outcome: "refused" }, note: "By telephone." };
    expect((await ask("records.resolve", "tRPC", input, { key })).status).toBe(409);
  });

  it("cross-origin calls, and calls beyond the rate limit", async () => {
    const headers = { origin: `https://${marks.next()}.example.com`, "sec-fetch-site": "cross-site" };
    expect((await ask("kyc.submit", "tRPC", marks.submission(), { headers })).status).toBe(403);
    const service = await services().start({ RATE_LIMIT_READS: "1/600" });
    const list = () => askBoth("cards.list", () => ({ memberId: marks.next() }), { service });
    expect((await list()).at(-1)).toBe(429);
  });
}
