import { createNameScan } from "./names.js";
import { inflatedStreams, TooLarge } from "./streams.js";

/**
 * The rule that the bytes of a PDF violate, without parsing its structure; null if there is none. PDF readers disagree
 * about the structure: one reader finds image data where another finds an object.
 * @param {Buffer} bytes
 */
export function ruleOfText(bytes) {
  const text = bytes.toString("latin1");
  // With data before or after the PDF, the file could also be read as another type.
  if (!text.startsWith("%PDF-") || !/^%%EOF[\0\s]*$/.test(text.slice(text.lastIndexOf("%%EOF")))) {
    return "file-broken";
  }
  const notableNamesIn = createNameScan();
  try {
    for (const name of notableNamesIn(text)) return name === "Encrypt" ? "pdf-encrypted" : "pdf-active";
    for (const inflated of inflatedStreams(bytes)) {
      for (const name of notableNamesIn(inflated.toString("latin1"))) {
        if (name !== "Encrypt") return "pdf-active";
      }
    }
  } catch (error) {
    if (error instanceof TooLarge) return "pdf-too-complex";
    throw error;
  }
  return null;
}
