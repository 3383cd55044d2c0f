import { createHash } from "node:crypto";

/** The common encodings of a text: unchanged, lower case, reversed, percent-encoded, hex, and base64 at any offset. */
export function encodingsOf(text: string): string[] {
  const bytes = Buffer.from(text);
  const percent = [...bytes].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
  return [
    text,
    text.toLowerCase(),
    [...text].reverse().join(""),
    encodeURIComponent(text),
    percent,
    percent.toUpperCase(),
    bytes.toString("hex"),
    bytes.toString("hex").toUpperCase(),
    ...[0, 1, 2].map((offset) => withinBase64(bytes, offset)).flatMap((form) => [form, urlSafe(form)]),
  ];
}

/** The common digests of a text. Without a key, they can be guessed. */
export function digestsOf(text: string): string[] {
  return ["md5", "sha1", "sha256", "sha512"].flatMap((name) => {
    const digest = createHash(name).update(text).digest();
    return [digest.toString("hex"), digest.toString("base64"), digest.toString("base64url")];
  });
}

/** The base64 characters that do not depend on the bytes around the text, at this offset modulo 3. */
function withinBase64(bytes: Buffer, offset: number): string {
  const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64");
  const unsure = { before: [0, 2, 3][offset], behind: text.length - text.replace(/.?=+$/, "").length };
  return text.slice(unsure.before, text.length - unsure.behind);
}

function urlSafe(base64: string): string {
  return base64.replaceAll("+", "-").replaceAll("/", "_");
}
