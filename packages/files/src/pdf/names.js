/** Names without which nothing in a PDF acts, sends or holds another file. */
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

/** Keys that say the same, too short to be looked for in pixels. */
export const activeKeys = new Set(["JS", "AA", "EF", "XFA"]);

const name = /\/[^\0\t\n\f\r ()<>[\]{}/%]{1,60}/g;

/**
 * Every name that stands in a text, wherever that is, with its escapes (`#4a`) undone.
 * @param {string} text
 */
export function* namesIn(text) {
  for (const [found] of text.matchAll(name)) {
    yield found
      .slice(1)
      .replace(/#([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
}
