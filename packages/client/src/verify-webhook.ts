import type { WebhookEvent } from "./webhook-events.ts";
import { isSigned } from "./webhook-signature.ts";

const defaultToleranceSeconds = 300;

/** The headers of a request, of fetch or of Node. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | { [name: string]: string | readonly string[] | undefined };

export interface VerifyOptions {
  /** The maximum difference between the sender's clock and yours, in seconds. The default is 300. */
  toleranceSeconds?: number | undefined;
  /** The current time, for tests. */
  now?: Date | undefined;
}

/** The request is not a webhook of cardbridge. Respond with 400. */
export class WebhookVerificationError extends Error {
  readonly reason: "missing-header" | "too-old" | "too-new" | "wrong-signature" | "invalid-body";

  constructor(reason: WebhookVerificationError["reason"], message: string) {
    super(message);
    this.name = new.target.name;
    this.reason = reason;
  }
}

/**
 * Verifies a webhook and returns its event. It needs no API key.
 *
 * @param body the raw body of the request, as bytes or text, not parsed
 * @param secrets the endpoint's secret, or several secrets during a rotation
 * @throws WebhookVerificationError if the request is not a webhook of cardbridge, or is too old
 * @throws TypeError if the body is already parsed, or a secret is not `whsec_` and base64
 */
export async function verifyWebhook(
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = defaultToleranceSeconds, now = new Date() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const webhookId = header(headers, "webhook-id");
  const timestamp = header(headers, "webhook-timestamp");
  const signatures = header(headers, "webhook-signature");
  const bytes = bytesOf(body);
  const all = typeof secrets === "string" ? [secrets] : secrets;
  if (!Array.isArray(all) || all.length === 0) throw new TypeError("Pass the endpoint's secret.");
  if (!(await isSigned({ webhookId, timestamp, body: bytes }, signatures, all))) {
    throw new WebhookVerificationError("wrong-signature", "No signature matches a secret.");
  }
  checkAge(timestamp, now, toleranceSeconds);
  return { ...parse(bytes), webhookId };
}

function bytesOf(body: unknown): Uint8Array {
  if (typeof body === "string") return new TextEncoder().encode(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  throw new TypeError("Pass the raw body instead of a parsed body. The signature covers the raw bytes.");
}

function header(headers: WebhookHeaders, name: string): string {
  const value = isFetchHeaders(headers) ? headers.get(name) : nodeHeader(headers, name);
  if (value) return value;
  throw new WebhookVerificationError("missing-header", `The header ${name} is missing.`);
}

function isFetchHeaders(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers.get === "function";
}

function nodeHeader(headers: Exclude<WebhookHeaders, { get(name: string): string | null }>, name: string) {
  const key = Object.keys(headers).find((each) => each.toLowerCase() === name);
  const value = key === undefined ? undefined : headers[key];
  return typeof value === "string" ? value : value?.join(" ");
}

function checkAge(timestamp: string, now: Date, toleranceSeconds: number): void {
  const age = now.getTime() / 1_000 - Number(timestamp);
  if (age < -toleranceSeconds) {
    throw new WebhookVerificationError(
      "too-new",
      "The webhook's timestamp is in the future. Check your clock.",
    );
  }
  // The age of an invalid timestamp is NaN, which counts as too old.
  if (!(age <= toleranceSeconds)) {
    throw new WebhookVerificationError("too-old", "The webhook is too old. It may be a replay.");
  }
}

function parse(bytes: Uint8Array): WebhookEvent {
  try {
    const event = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (typeof event.type === "string") return event;
  } catch {}
  throw new WebhookVerificationError("invalid-body", "The body is not an event.");
}
