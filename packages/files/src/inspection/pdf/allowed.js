/*
 * The allowed content of a PDF: everything that scanners, office programs, browsers and banks write, but no automatic
 * actions, media, layers or references to other files.
 */

/** Annotations that only display their appearance. */
export const annotationSubtypes = new Set([
  ...["Link", "Widget", "Popup", "Text", "FreeText", "Stamp", "Caret", "Ink", "Redact", "Watermark"],
  ...["Highlight", "Underline", "Squiggly", "StrikeOut"],
  ...["Line", "Square", "Circle", "Polygon", "PolyLine", "PrinterMark"],
]);
/** The flag `NoView` of an annotation that is printed and not shown. */
export const noView = 32;

/** Actions that stay in the document or open a link, without a further action in `Next`. */
export const actions = new Set(["GoTo", "URI", "Named"]);
/** Actions that run without a click when the document opens. */
export const openActions = new Set(["GoTo"]);
export const actionKeys = new Set(["Type", "S", "D", "SD", "URI", "IsMap", "N", "StructParent"]);
/** The values of `N` in a `Named` action: movements between pages. */
export const namedActions = new Set(["NextPage", "PrevPage", "FirstPage", "LastPage", "GoBack", "GoForward"]);

/**
 * A link to a website, an e-mail address or a telephone number. Many producers omit `https://`, and browsers print menu
 * placeholders, which have no effect.
 */
export const linkTarget = /^ *(?:(?:https?:\/\/|mailto:|tel:|www\.|#)[^\\]*|javascript:(?:void\(0\))?;?)?$/i;

export const streamTypes = new Set([
  ...["XObject", "ObjStm", "XRef", "Metadata", "CMap", "Pattern", "Shading", "Function", "Halftone", "Font"],
]);
export const streamSubtypes = new Set([
  ...["Image", "Form", "XML", "Type1", "Type1C", "CIDFontType0C", "OpenType", "TrueType"],
]);
export const streamFilters = new Set([
  ...["FlateDecode", "LZWDecode", "RunLengthDecode", "ASCIIHexDecode", "ASCII85Decode"],
  ...["DCTDecode", "JPXDecode", "JBIG2Decode", "CCITTFaxDecode"],
]);

export const catalogKeys = new Set([
  ...["Type", "Version", "Extensions", "Pages", "PageLabels", "PageLayout", "PageMode", "ViewerPreferences"],
  ...["Names", "Dests", "Outlines", "Threads", "OpenAction", "URI", "AcroForm", "Metadata", "Lang"],
  ...["StructTreeRoot", "MarkInfo", "OutputIntents", "PieceInfo", "LastModified", "ModDate"],
  // Some producers write the document's metadata here.
  ...["Info", "Title", "Author", "Subject", "Keywords", "Creator", "Producer", "CreationDate"],
  ...["Perms", "Legal", "DSS", "DPartRoot", "ID", "ProcSet", "SourceModified"],
]);
export const nameTrees = new Set(["Dests", "AP"]);
export const pageKeys = new Set([
  ...["Type", "Parent", "Resources", "Contents", "Annots", "Rotate", "UserUnit", "Group", "Thumb", "B"],
  ...["MediaBox", "CropBox", "BleedBox", "TrimBox", "ArtBox", "BoxColorInfo", "SeparationInfo"],
  ...["LastModified", "Metadata", "PieceInfo", "StructParents", "StructParent", "Tabs", "Dur", "Trans", "PZ"],
  ...["VP", "DPart", "OutputIntents", "Lang", "ProcSet"],
]);

/** A key of one producer, such as `PTEX.PageNumber`. Other readers ignore it, and its value is checked. */
export const privateKey = /^[A-Za-z]{2,8}[_.:]/;
