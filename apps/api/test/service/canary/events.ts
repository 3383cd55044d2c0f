import { expect, it } from "vitest";
import { signedHeaders } from "../../deep/faults/clients/provider-event.ts";
import { type Canary, json } from "./canary.ts";

/** Sends marks in events, with valid and with forged signatures. */
export function sendEvents({ services, marks, client, submitted }: Canary): void {
  it("events with valid and invalid signatures", async () => {
    const { kycRecordId, userReference } = await submitted();
    const known = { reference: kycRecordId, userReference, status: "approved", revision: 9 };
    const send = async (body: string, headers: Record<string, string> = signedHeaders(body)) => {
      const event = { path: "/provider/events", method: "POST", headers, body };
      return (await client.call("an event", services().well.url, event)).status;
    };
    const update = (data: object) => JSON.stringify({ type: "kyc.updated", data });
    expect(await send(update(marks.submission()), json)).toBe(401);
    const forged = { ...signedHeaders(update(known)), "webhook-signature": `v1,${marks.next()}` };
    expect(await send(update(known), forged)).toBe(401);
    expect(await send(update(marks.submission()))).toBe(400);
    expect(await send(`${marks.next()}{`)).toBe(400);
    expect(await send(update({ ...known, reference: marks.next() }))).toBe(404);
    expect(await send(update({ ...known, userReference: marks.next() }))).toBe(404);
    expect(await send(JSON.stringify({ type: marks.next(), data: marks.submission() }))).toBe(204);
    expect(await send(update({ ...known, applicant: marks.submission() }))).toBe(204);
    const card = { ...marks.submission(), cardId: "card_1", userReference, status: "locked" };
    expect(await send(JSON.stringify({ type: "card.updated", data: card }))).toBe(204);
    expect(await send(marks.next().repeat(5_000))).toBe(413);
  });
}
