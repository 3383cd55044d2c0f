import { activeNames, namesIn } from "./names.js";
import { inflatedStreams, TooLarge } from "./streams.js";

/**
 * The rule that a PDF breaks as it stands, without following its structure: what one reader takes for the inside of
 * a picture, another takes for an object.
 * @param {Buffer} bytes
 */
export function ruleOfText(bytes) {
  const text = bytes.toString("latin1");
  // Anything in front or behind makes it two files in one.
  if (!text.startsWith("%PDF-") || !/^%%EOF[\0\s]*$/.test(text.slice(text.lastIndexOf("%%EOF")))) {
    return "file-broken";
  }
  for (const found of namesIn(text)) {
    if (found === "Encrypt") return "pdf-encrypted";
    if (activeNames.has(found)) return "pdf-active";
  }
  try {
    for (const inflated of inflatedStreams(bytes)) {
      for (const found of namesIn(inflated.toString("latin1"))) {
        if (activeNames.has(found)) return "pdf-active";
      }
    }
  } catch (error) {
    if (error instanceof TooLarge) return "pdf-too-complex";
    throw error;
  }
  return null;
}
