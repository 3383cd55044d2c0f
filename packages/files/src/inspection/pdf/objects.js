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
 * The rule that the objects of a PDF violate, including older versions of an object. Null when there is none.
 * @param {Buffer} bytes
 */
export async function ruleOfObjects(bytes) {
  const parser = new RecordingParser(bytes);
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

/** Records every parsed object. The library may only inflate streams that streams.js has measured. */
class RecordingParser extends PDFParser {
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
    if (object instanceof PDFRawStream && !isMeasured(object.dict)) throw new Error("Unmeasured stream");
    return object;
  }
}

/** Whether the library inflates the stream at most once. @param {PDFDict} dict */
function isMeasured(dict) {
  const type = dict.lookup(PDFName.of("Type"));
  if (type !== PDFName.of("ObjStm") && type !== PDFName.of("XRef")) return true;
  const filter = dict.get(PDFName.of("Filter"));
  return filter === undefined || filter === PDFName.of("FlateDecode");
}

/** @param {import("@cantoo/pdf-lib").PDFObject[]} objects */
function isActive(objects) {
  const stack = [...objects];
  for (let object = stack.pop(); object; object = stack.pop()) {
    if (object instanceof PDFRawStream) stack.push(object.dict);
    else if (object instanceof PDFArray) for (const element of object.asArray()) stack.push(element);
    else if (object instanceof PDFName && activeNames.has(object.decodeText())) return true;
    else if (object instanceof PDFDict) {
      if (opensWithAction(object)) return true;
      for (const [key, value] of object.entries()) {
        const name = key.decodeText();
        if (activeKeys.has(name) || activeNames.has(name)) return true;
        stack.push(value);
      }
    }
  }
  return false;
}

/** Whether the document opens with anything other than a destination. @param {PDFDict} dict */
function opensWithAction(dict) {
  const action = dict.lookup(PDFName.of("OpenAction"));
  if (!(action instanceof PDFDict)) return false;
  return action.lookup(PDFName.of("S")) !== PDFName.of("GoTo") || action.has(PDFName.of("Next"));
}
