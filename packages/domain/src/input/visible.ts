/**
 * A character with a glyph. Spaces, controls, combining marks, ignorable characters (including Hangul fillers) and the
 * empty Braille pattern have no glyph of their own.
 */
const glyph = /[^\p{Z}\p{Cc}\p{Cf}\p{Cs}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether a text has a visible character. */
export function isVisible(text: string): boolean {
  return glyph.test(text);
}
