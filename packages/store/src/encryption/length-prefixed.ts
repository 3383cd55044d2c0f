/** Encodes a list of texts unambiguously: each one follows its length in bytes, so two lists never give equal bytes. */
export function lengthPrefixed(...texts: string[]): Buffer {
  return Buffer.from(texts.map((text) => `${Buffer.byteLength(text)}:${text}`).join(""));
}
