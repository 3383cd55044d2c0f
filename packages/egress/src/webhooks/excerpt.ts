const maxBytes = 1_024;
const utf8 = new TextDecoder("utf-8");

/** The first bytes of an answer as text, for its endpoint's platform. Control characters would not be stored as text. */
export function excerptOf(bytes: Uint8Array): string {
  return utf8.decode(bytes.subarray(0, maxBytes)).replace(/[^\P{Cc}\n\t]/gu, "\u{fffd}");
}
