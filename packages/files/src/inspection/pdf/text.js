import { activeNames, namesIn } from "./names.js";
import { inflatedStreams, TooLarge } from "./streams.js";

/**
 * The rule that the bytes of a PDF violate, without parsing its structure. Null when there is none. PDF readers disagree
 * about the structure: one reads the content of an image where another reads an object.
 * @param {Buffer} bytes
 */
export function ruleOfText(bytes) {
  const text = bytes.toString("latin1");
  // With data before or after the PDF, the file can also be read as another type.
  if (!text.startsWith("%PDF-") || !/^%%EOF[\0\s]*$/.test(text.slice(text.lastIndexOf("%%EOF")))) {
    return "file-broken";
  }
  for (const name of namesIn(text)) {
    if (name === "Encrypt") return "pdf-encrypted";
    if (activeNames.has(name)) return "pdf-active";
  }
  try {
    for (const inflated of inflatedStreams(bytes)) {
      for (const name of namesIn(inflated.toString("latin1"))) {
        if (activeNames.has(name)) return "pdf-active";
      }
    }
  } catch (error) {
    if (error instanceof TooLarge) return "pdf-too-complex";
    throw error;
  }
  return null;
}
