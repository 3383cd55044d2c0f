/** Joins texts so that no two lists of them give the same bytes: each is preceded by its length in bytes. */
export function framed(...texts: string[]): Buffer {
  return Buffer.from(texts.map((text) => `${Buffer.byteLength(text)}:${text}`).join(""));
}
