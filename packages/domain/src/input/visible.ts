/**
 * A character with a glyph. Spaces, controls, combining marks and ignorable characters have none of their own; neither
 * have Hangul fillers, which Unicode also calls ignorable, and the empty Braille pattern.
 */
const glyph = /[^\p{Z}\p{Cc}\p{Cf}\p{Cs}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether a text has a visible character. */
export function isVisible(text: string): boolean {
  return glyph.test(text);
}
