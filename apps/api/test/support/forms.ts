import { createHash } from "node:crypto";

/** The forms in which a text may turn up: as it is, in small letters, backwards, and encoded wherever it begins. */
export function formsOf(text: string): string[] {
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

/** What anybody can make of a text without a key, and of every other one that it could be. */
export function digestsOf(text: string): string[] {
  return ["md5", "sha1", "sha256", "sha512"].flatMap((name) => {
    const digest = createHash(name).update(text).digest();
    return [digest.toString("hex"), digest.toString("base64"), digest.toString("base64url")];
  });
}

/** The characters that are the same whatever stands before, so many bytes beyond a multiple of three, and behind. */
function withinBase64(bytes: Buffer, offset: number): string {
  const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64");
  const unsure = { before: [0, 2, 3][offset], behind: text.length - text.replace(/.?=+$/, "").length };
  return text.slice(unsure.before, text.length - unsure.behind);
}

function urlSafe(base64: string): string {
  return base64.replaceAll("+", "-").replaceAll("/", "_");
}
