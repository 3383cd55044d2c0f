/** Encodes a list of texts unambiguously: prefixes each with its length in bytes, so different lists differ. */
export function lengthPrefixed(...texts: string[]): Buffer {
  return Buffer.from(texts.map((text) => `${Buffer.byteLength(text)}:${text}`).join(""));
}
