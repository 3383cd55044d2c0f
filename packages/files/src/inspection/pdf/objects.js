import { PDFCatalog, PDFName, PDFPageLeaf, PDFParser, PDFRawStream, PDFRef } from "@cantoo/pdf-lib";
import { isActive } from "./active.js";
import { TooLarge } from "./streams.js";
import { Versions } from "./versions.js";

/**
 * The rule that the objects of a PDF violate, including older versions of an object; null if there is none.
 * @param {Buffer} bytes
 */
export async function ruleOfObjects(bytes) {
  const parser = new RecordingParser(bytes);
  const { versions } = parser;
  try {
    const context = await parser.parseDocument();
    if (context.trailerInfo.Encrypt) return "pdf-encrypted";
    const root = context.lookup(context.trailerInfo.Root);
    if (!(root instanceof PDFCatalog) || !versions.objects.some((object) => object instanceof PDFPageLeaf)) {
      return "file-broken";
    }
    return isActive(versions) ? "pdf-active" : null;
  } catch (error) {
    return error instanceof TooLarge ? "pdf-too-complex" : "file-broken";
  }
}

/** Records every parsed object. It lets the library inflate only streams that streams.js has measured. */
class RecordingParser extends PDFParser {
  versions = new Versions();

  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    super(bytes, Number.POSITIVE_INFINITY, true);
    const { context } = this;
    const assign = context.assign.bind(context);
    context.assign = (ref, object) => {
      this.versions.add(ref, object);
      assign(ref, object);
    };
  }

  /** Records trailers too: a trailer may contain the catalog itself. @override @param {PDFRef} [ref] */
  parseDict(ref) {
    const dict = super.parseDict(ref);
    if (dict.has(PDFName.of("Root"))) this.versions.objects.push(dict);
    return dict;
  }

  /** @override @param {PDFRef} [ref] */
  parseDictOrStream(ref) {
    const object = super.parseDictOrStream(ref);
    if (object instanceof PDFRawStream && !isMeasured(object.dict)) throw new Error("Unmeasured stream");
    return object;
  }
}

/** Whether the library inflates the stream at most once. @param {import("@cantoo/pdf-lib").PDFDict} dict */
function isMeasured(dict) {
  const type = dict.lookup(PDFName.of("Type"));
  if (type !== PDFName.of("ObjStm") && type !== PDFName.of("XRef")) return true;
  const filter = dict.get(PDFName.of("Filter"));
  return filter === undefined || filter === PDFName.of("FlateDecode");
}
