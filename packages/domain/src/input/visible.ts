/**
 * A character with a glyph. Spaces, controls, combining marks, ignorable characters (including Hangul fillers) and the
 * empty Braille pattern have no glyph of their own.
 */
const glyph = /[^\p{Z}\p{Cc}\p{Cf}\p{Cs}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;

/**
 * A text that others wrote, such as a claim of a token, as one line that people can read: without control characters,
 * controls of the text's direction and lone surrogates, and with at most this number of characters. Null if nothing in it
 * is visible.
 */
export function visibleLine(text: string, maxLength: number): string | null {
  const oneLine = text.replace(/[\p{Cs}\p{Bidi_Control}]/gu, "").replace(/[\p{Cc}\p{Z}]+/gu, " ");
  const cut = [...oneLine.trim()].slice(0, maxLength).join("").trim();
  return isVisible(cut) ? cut : null;
}

/** Whether a text has a visible character. */
export function isVisible(text: string): boolean {
  return glyph.test(text);
}
