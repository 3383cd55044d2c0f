import { describe, expect, it } from "vitest";
import { verifyWebhook } from "../src/index.ts";
import { errorOf } from "./support/error-of.ts";
import { kycUpdated, newSecret, signedBody, signedWebhook } from "./support/signed-webhook.ts";

const event = kycUpdated(1, "APPROVED");
const secret = newSecret();
const now = new Date(1_700_000_000_000);
const after = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
const { body, headers } = signedWebhook(event, { at: now, secrets: [secret] });
const reasonOf = async (verified: Promise<unknown>) =>
  ((await errorOf(verified)) as { reason: string }).reason;

/** An example from the libraries of Standard Webhooks. */
const published = {
  secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  body: '{"test": 2432232314}',
  headers: {
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  },
  now: new Date(1_614_265_330_000),
};

it("accepts the example signature of Standard Webhooks, and rejects its body", async () => {
  const verified = verifyWebhook(published.body, published.headers, published.secret, { now: published.now });
  expect(await reasonOf(verified)).toBe("invalid-body");
});

describe("a webhook", () => {
  const bytes = new TextEncoder().encode(body);
  it.each([
    ["text", body, headers],
    ["bytes", bytes, headers],
    ["a Buffer", Buffer.from(body), headers],
    ["an ArrayBuffer", bytes.buffer, headers],
    ["part of an array", new Uint8Array([1, ...bytes, 2]).subarray(1, -1), headers],
    ["headers of fetch", body, new Headers(headers)],
    ["headers in capitals", body, changed(([name, value]) => [name.toUpperCase(), value])],
    ["lists of headers", body, changed(([name, value]) => [name, [value]])],
  ])("is verified with %s", async (_, raw, sent) => {
    expect(await verifyWebhook(raw, sent, secret, { now })).toEqual({ ...event, webhookId: "msg_1" });
  });

  it("is verified with non-ASCII text only if the bytes are unchanged", async () => {
    const text = signedWebhook({ type: "new.type", data: { text: "é中😀" } }, { at: now, secrets: [secret] });
    expect(await verifyWebhook(text.body, text.headers, secret, { now })).toMatchObject({ type: "new.type" });
    const other = text.body.normalize("NFD");
    expect(await reasonOf(verifyWebhook(other, text.headers, secret, { now }))).toBe("wrong-signature");
  });

  it("of an unknown type is returned with all its fields, and the id of the signed header", async () => {
    const later = { type: "card.created", timestamp: event.timestamp, data: { cardId: "card_1" }, more: 1 };
    const sent = signedWebhook({ ...later, webhookId: "msg_2" }, { at: now, secrets: [secret] });
    const received = await verifyWebhook(sent.body, sent.headers, secret, { now });
    expect(received).toEqual({ ...later, webhookId: "msg_1" });
  });
});

describe("a webhook during the rotation of a secret", () => {
  const next = newSecret();
  it.each([
    ["the sender has both secrets and the receiver the old secret", [next, secret], [secret]],
    ["the sender has both secrets and the receiver the new secret", [next, secret], [next]],
    ["the sender has the old secret and the receiver both secrets", [secret], [next, secret]],
    ["the sender has the new secret and the receiver both secrets", [next], [secret, next]],
  ])("is verified if %s", async (_, senders, receivers) => {
    const sent = signedWebhook(event, { at: now, secrets: senders });
    expect(await verifyWebhook(sent.body, sent.headers, receivers, { now })).toMatchObject(event);
  });

  it("is verified without regard to signatures of other versions and to other text", async () => {
    const signature = headers["webhook-signature"];
    const mixed = { ...headers, "webhook-signature": `v1a,AAAA v1,!! v1, x ${signature}` };
    expect(await verifyWebhook(body, mixed, secret, { now })).toMatchObject(event);
    const other = { ...headers, "webhook-signature": signature.replace("v1,", "v2,") };
    expect(await reasonOf(verifyWebhook(body, other, secret, { now }))).toBe("wrong-signature");
  });
});

describe("verifyWebhook rejects", () => {
  const verifyAt = (at: Date, toleranceSeconds?: number) =>
    verifyWebhook(body, headers, secret, { now: at, toleranceSeconds });

  it("a webhook that is older or newer than the tolerance", async () => {
    await verifyAt(after(300));
    await verifyAt(after(-300));
    expect(await reasonOf(verifyAt(after(301)))).toBe("too-old");
    expect(await reasonOf(verifyAt(after(-301)))).toBe("too-new");
    await verifyAt(after(900), 900);
    expect(await reasonOf(verifyAt(after(11), 10))).toBe("too-old");
    expect(await reasonOf(verifyWebhook(body, headers, secret))).toBe("too-old");
  });

  it.each(Object.keys(headers).filter((name) => name.startsWith("webhook-")))(
    "a webhook without %s",
    async (name) => {
      const error = errorOf(verifyWebhook(body, { ...headers, [name]: undefined }, secret, { now }));
      expect(await error).toMatchObject({
        name: "WebhookVerificationError",
        reason: "missing-header",
        message: expect.stringContaining(name),
      });
    },
  );

  it.each([
    ["body", `${body} `, headers, secret],
    ["id", body, { ...headers, "webhook-id": "msg_2" }, secret],
    ["timestamp", body, { ...headers, "webhook-timestamp": "1700000001" }, secret],
    ["timestamp that is not a number", body, { ...headers, "webhook-timestamp": "now" }, secret],
    ["secret", body, headers, newSecret()],
    ["shorter signature", body, { ...headers, "webhook-signature": "v1,AAAA" }, secret],
  ])("a webhook with another %s", async (_, raw, sent, other) => {
    expect(await reasonOf(verifyWebhook(raw, sent, other, { now }))).toBe("wrong-signature");
  });

  it.each([0, 15, 31])("a webhook with a different byte %i in its signature", async (index) => {
    const signature = Buffer.from(headers["webhook-signature"].slice(3), "base64");
    signature[index] = (signature[index] ?? 0) ^ 1;
    const other = { ...headers, "webhook-signature": `v1,${signature.toString("base64")}` };
    expect(await reasonOf(verifyWebhook(body, other, secret, { now }))).toBe("wrong-signature");
  });

  it.each(["null", "[]", "{}", "text", '{"type":1}', ""])(
    "a webhook with the signed body %j",
    async (raw) => {
      const sent = signedBody(raw, { at: now, secrets: [secret] });
      expect(await reasonOf(verifyWebhook(raw, sent.headers, secret, { now }))).toBe("invalid-body");
    },
  );
});

describe("verifyWebhook throws a TypeError for", () => {
  it("a parsed body", async () => {
    const verified = verifyWebhook(JSON.parse(body), headers, secret, { now });
    await expect(verified).rejects.toThrow(TypeError);
    await expect(verified).rejects.toThrow("raw body");
  });

  const wrongSecrets = [undefined, [], "", "secret", "whsec_", "whsec_?", [undefined], [secret, "secret"]];
  it.each(wrongSecrets.map((secrets) => ({ secrets })))("the secret $secrets", async ({ secrets }) => {
    const error = await errorOf(verifyWebhook(body, headers, secrets as string[], { now }));
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).not.toContain(secret);
  });
});

function changed<T>(change: (header: [string, string]) => [string, T]): Record<string, T> {
  return Object.fromEntries(Object.entries(headers).map(change));
}
