import { createHash, createHmac, timingSafeEqual } from "node:crypto";

const toleranceMs = 300_000;

export interface SignedRequest {
  readonly method: string;
  /** Path and query as they are in the request line. */
  readonly target: string;
  readonly body: Uint8Array;
  readonly clientId: string | undefined;
  readonly timestamp: string | undefined;
  readonly signature: string | undefined;
}

export interface Client {
  readonly id: string;
  readonly secret: string;
}

/**
 * Why a request is not authentic (provider contract, section Signature). Undefined when the client signed it and its
 * timestamp is at most 300 s from now.
 *
 * @param now milliseconds since 1970
 */
export function signatureError(request: SignedRequest, client: Client, now: number): string | undefined {
  const { clientId = "", timestamp = "", signature = "" } = request;
  if (!equal(clientId, client.id)) return "Unknown client.";
  if (!/^[0-9]{1,12}$/.test(timestamp)) return "x-timestamp is not a number of seconds.";
  if (Math.abs(now - Number(timestamp) * 1000) > toleranceMs) return "x-timestamp is too far from our clock.";
  if (!equal(signature, `v1=${signatureOf(request, timestamp, client.secret)}`)) return "Wrong signature.";
  return undefined;
}

function signatureOf({ method, target, body }: SignedRequest, timestamp: string, secret: string): string {
  const mark = target.indexOf("?");
  const path = mark === -1 ? target : target.slice(0, mark);
  const query = mark === -1 ? "" : target.slice(mark + 1);
  const bodyHash = createHash("sha256").update(body).digest("hex");
  const lines = [timestamp, method.toUpperCase(), path, query, bodyHash];
  return createHmac("sha256", secret).update(lines.join("\n")).digest("hex");
}

/** Compares two texts in constant time. Hashing gives them equal lengths. */
function equal(a: string, b: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
