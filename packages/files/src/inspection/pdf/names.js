/** Every action, form submission and attachment of a PDF needs one of these names. */
export const activeNames = new Set([
  "JavaScript",
  "Launch",
  "SubmitForm",
  "ImportData",
  "GoToR",
  "GoToE",
  "Rendition",
  "RichMedia",
  "EmbeddedFile",
  "EmbeddedFiles",
  "FileAttachment",
]);

/** Keys with the same meaning. They are too short to search for in binary data. */
export const activeKeys = new Set(["JS", "AA", "EF", "XFA"]);

const name = /\/[^\0\t\n\f\r ()<>[\]{}/%]{1,60}/g;

/**
 * Yields every PDF name in a text with its escapes (`#4a`) decoded.
 * @param {string} text
 */
export function* namesIn(text) {
  for (const [match] of text.matchAll(name)) {
    yield match
      .slice(1)
      .replace(/#([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
}
