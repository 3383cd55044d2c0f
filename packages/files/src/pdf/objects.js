import {
  PDFArray,
  PDFCatalog,
  PDFDict,
  PDFName,
  PDFPageLeaf,
  PDFParser,
  PDFRawStream,
} from "@cantoo/pdf-lib";
import { activeKeys, activeNames } from "./names.js";

/**
 * The rule that a PDF's objects break, older versions of an object included.
 * @param {Buffer} bytes
 */
export async function ruleOfObjects(bytes) {
  const parser = new WatchingParser(bytes);
  try {
    const context = await parser.parseDocument();
    if (context.trailerInfo.Encrypt) return "pdf-encrypted";
    const root = context.lookup(context.trailerInfo.Root);
    if (!(root instanceof PDFCatalog) || !parser.objects.some((object) => object instanceof PDFPageLeaf)) {
      return "file-broken";
    }
    return isActive(parser.objects) ? "pdf-active" : null;
  } catch {
    return "file-broken";
  }
}

/** Keeps every object that it meets, and lets the library inflate what streams.js has measured only. */
class WatchingParser extends PDFParser {
  /** @type {import("@cantoo/pdf-lib").PDFObject[]} */
  objects = [];

  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    super(bytes, Number.POSITIVE_INFINITY, true);
    const { context } = this;
    const assign = context.assign.bind(context);
    context.assign = (ref, object) => {
      this.objects.push(object);
      assign(ref, object);
    };
  }

  /** @override @param {import("@cantoo/pdf-lib").PDFRef} [ref] */
  parseDictOrStream(ref) {
    const object = super.parseDictOrStream(ref);
    if (object instanceof PDFRawStream && !isPlain(object.dict)) throw new Error("Unmeasured stream");
    return object;
  }
}

/** Whether a stream is one that the library leaves alone, or inflates once. @param {PDFDict} dict */
function isPlain(dict) {
  const type = dict.lookup(PDFName.of("Type"));
  if (type !== PDFName.of("ObjStm") && type !== PDFName.of("XRef")) return true;
  const filter = dict.get(PDFName.of("Filter"));
  return filter === undefined || filter === PDFName.of("FlateDecode");
}

/** @param {import("@cantoo/pdf-lib").PDFObject[]} objects */
function isActive(objects) {
  const waiting = [...objects];
  for (let object = waiting.pop(); object; object = waiting.pop()) {
    if (object instanceof PDFRawStream) waiting.push(object.dict);
    else if (object instanceof PDFArray) for (const element of object.asArray()) waiting.push(element);
    else if (object instanceof PDFName && activeNames.has(object.decodeText())) return true;
    else if (object instanceof PDFDict) {
      if (opensWithAction(object)) return true;
      for (const [key, value] of object.entries()) {
        const name = key.decodeText();
        if (activeKeys.has(name) || activeNames.has(name)) return true;
        waiting.push(value);
      }
    }
  }
  return false;
}

/** Opening at a place is no action; anything else is. @param {PDFDict} dict */
function opensWithAction(dict) {
  const action = dict.lookup(PDFName.of("OpenAction"));
  if (!(action instanceof PDFDict)) return false;
  return action.lookup(PDFName.of("S")) !== PDFName.of("GoTo") || action.has(PDFName.of("Next"));
}
