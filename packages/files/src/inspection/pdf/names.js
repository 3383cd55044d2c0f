import { TooLarge } from "./streams.js";

/** A statement of a thousand pages has a tenth of this number, and 64 MB of random bytes have a twentieth. */
const maxNames = 5_000_000;

/** Every action, form submission, attachment and set of layers of a PDF requires one of these names. */
export const activeNames = new Set([
  "JavaScript",
  "Launch",
  "SubmitForm",
  "ImportData",
  "GoToR",
  "GoToE",
  "GoTo3DView",
  "Rendition",
  "RichMedia",
  "RichMediaContent",
  "RichMediaExecute",
  "EmbeddedFile",
  "EmbeddedFiles",
  "FileAttachment",
  "AlternatePresentations",
  "SpiderInfo",
  "OCProperties",
]);

/** Keys with the same effect. They are too short to search for in binary data. */
export const activeKeys = new Set([
  ...["JS", "AA", "EF", "XFA"],
  // Content that is shown and not printed, or the reverse: a reviewer sees another document than the provider. Renderers
  // obey these entries of a layer also without the catalog's list of layers.
  ...["OC", "OCGs", "VE", "ViewState", "PrintState", "ExportState", "Alternates"],
]);

/** Names that are active only as the value of one key. As another value, they are colours, blend modes or fonts. */
export const activeValues = new Map([
  ["Subtype", new Set(["3D", "Movie", "Sound", "Screen", "Projection", "PS", "U3D", "PRC"])],
  ["Subtype2", new Set(["PS"])],
  ["S", new Set(["Movie", "Sound", "Thread", "Hide", "ResetForm", "SetOCGState", "Trans", "GoToDp"])],
  [
    "Type",
    new Set([
      "Filespec",
      "F",
      "3D",
      "SpiderContentSet",
      "Template",
      "MediaClip",
      "SlideShow",
      "OPI",
      "OCG",
      "OCMD",
    ]),
  ],
]);

const name = /\/[^\0\t\n\f\r ()<>[\]{}/%]{1,60}/g;

/**
 * Yields every PDF name in a text with its escapes (`#4a`) decoded.
 * @param {string} text
 */
function* namesIn(text) {
  for (const [match] of text.matchAll(name)) {
    yield match
      .slice(1)
      .replace(/#([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
}

/**
 * Creates a generator of the active names in a text, including `Encrypt`. All its texts share one limit.
 */
export function createNameScan() {
  let left = maxNames;

  /** @param {string} text @throws TooLarge */
  return function* notableNamesIn(text) {
    let previous = "";
    for (const name of namesIn(text)) {
      left -= 1;
      if (left < 0) throw new TooLarge();
      if (name === "Encrypt" || activeNames.has(name) || activeValues.get(previous)?.has(name)) yield name;
      previous = name;
    }
  };
}
