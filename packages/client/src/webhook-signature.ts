const prefix = "whsec_";
const version = "v1,";
const encoder = new TextEncoder();

/** The content that a signature covers. */
export interface SignedContent {
  webhookId: string;
  /** The unchanged header. */
  timestamp: string;
  body: Uint8Array;
}

/**
 * Whether any signature matches any secret (Standard Webhooks 1.0.0). Each secret signs only once, so that a long list
 * of signatures is cheap.
 *
 * @param signatures the header: `v1,` and base64, separated by spaces
 * @throws TypeError if a secret is not `whsec_` and base64
 */
export async function isSigned(
  content: SignedContent,
  signatures: string,
  secrets: readonly string[],
): Promise<boolean> {
  const keys = secrets.map(keyOf);
  const candidates = signatures.split(" ").flatMap((signature) => {
    const bytes = signature.startsWith(version) ? decode(signature.slice(version.length)) : undefined;
    return bytes ? [bytes] : [];
  });
  const signed = signedBytes(content);
  const expected = await Promise.all(keys.map((key) => sign(key, signed)));
  return expected.some((digest) => candidates.some((candidate) => isEqual(digest, candidate)));
}

function keyOf(secret: unknown): Uint8Array<ArrayBuffer> {
  const key =
    typeof secret === "string" && secret.startsWith(prefix) ? decode(secret.slice(prefix.length)) : undefined;
  if (!key || key.length === 0) throw new TypeError("A webhook secret must be whsec_ and base64.");
  return key;
}

function decode(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function signedBytes({ webhookId, timestamp, body }: SignedContent): Uint8Array<ArrayBuffer> {
  const head = encoder.encode(`${webhookId}.${timestamp}.`);
  const bytes = new Uint8Array(head.length + body.length);
  bytes.set(head);
  bytes.set(body, head.length);
  return bytes;
}

async function sign(secret: Uint8Array<ArrayBuffer>, bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", secret, algorithm, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign(algorithm.name, key, bytes));
}

/** Compares in constant time. */
function isEqual(expected: Uint8Array, actual: Uint8Array): boolean {
  if (expected.length !== actual.length) return false;
  let difference = 0;
  for (const [index, byte] of expected.entries()) difference |= byte ^ (actual[index] ?? 0);
  return difference === 0;
}
