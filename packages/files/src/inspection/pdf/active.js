import {
  PDFArray,
  PDFCatalog,
  PDFDict,
  PDFName,
  PDFNumber,
  PDFPageLeaf,
  PDFPageTree,
  PDFRawStream,
} from "@cantoo/pdf-lib";
import * as allowed from "./allowed.js";
import { activeKeys, activeNames, activeValues } from "./names.js";

/** @typedef {import("./versions.js").Versions} Versions */
/** @typedef {import("@cantoo/pdf-lib").PDFObject} PDFObject */

/**
 * Whether any object, including unreferenced objects, contains something that allowed.js does not list.
 * @param {Versions} versions
 */
export function isActive(versions) {
  const stack = [...versions.objects];
  for (let object = stack.pop(); object; object = stack.pop()) {
    if (object instanceof PDFRawStream) {
      if (isActiveStream(object.dict, versions)) return true;
      stack.push(object.dict);
    } else if (object instanceof PDFArray) {
      for (const element of object.asArray()) stack.push(element);
    } else if (object instanceof PDFName) {
      if (activeNames.has(object.decodeText())) return true;
    } else if (object instanceof PDFDict) {
      if (isActiveDict(object, versions)) return true;
      for (const value of object.values()) stack.push(value);
    }
  }
  return false;
}

/**
 * Whether a stream is in another file, shows another file, or is of a kind that is not allowed.
 * @param {PDFDict} dict @param {Versions} versions
 */
function isActiveStream(dict, versions) {
  return (
    ["F", "FFilter", "FDecodeParms", "Ref", "OPI", "Subtype2"].some((key) => dict.has(PDFName.of(key))) ||
    !areIn(allowed.streamTypes, versions.names(dict, "Type")) ||
    !areIn(allowed.streamSubtypes, versions.names(dict, "Subtype")) ||
    !areIn(allowed.streamFilters, versions.names(dict, "Filter"))
  );
}

/** @param {PDFDict} dict @param {Versions} versions */
function isActiveDict(dict, versions) {
  if (keysOf(dict).some((key) => isActiveEntry(dict, key, versions))) return true;
  if (dict instanceof PDFCatalog) return isActiveCatalog(dict, versions);
  if (dict instanceof PDFPageTree) return versions.dicts(dict, "Kids").some((kid) => !isPageOrTree(kid));
  return dict instanceof PDFPageLeaf && !hasOnly(dict, allowed.pageKeys);
}

/**
 * Whether an entry is active, in any dictionary.
 * @param {PDFDict} dict @param {string} key @param {Versions} versions
 */
function isActiveEntry(dict, key, versions) {
  if (activeKeys.has(key) || activeNames.has(key)) return true;
  const values = activeValues.get(key);
  if (values && versions.names(dict, key).some((name) => values.has(name))) return true;
  switch (key) {
    case "Annots":
      return versions.dicts(dict, key).some((annotation) => isActiveAnnotation(annotation, versions));
    // In a structure element, A contains attributes.
    case "A":
    case "PA":
      return versions
        .dicts(dict, key)
        .some((action) => isAction(action) && !isAllowedAction(action, versions, allowed.actions));
    case "URI":
    case "Base":
      return versions.texts(dict, key).some((target) => !allowed.linkTarget.test(target));
    // File names. Any other F is a number or a reference.
    case "F":
    case "UF":
    case "DOS":
    case "Mac":
    case "Unix":
      return versions.texts(dict, key).length > 0;
    case "FS":
      return versions.names(dict, key).length > 0;
    default:
      return false;
  }
}

/** @param {PDFDict} annotation @param {Versions} versions */
function isActiveAnnotation(annotation, versions) {
  return (
    !areIn(allowed.annotationSubtypes, versions.names(annotation, "Subtype")) ||
    versions.entry(annotation, "F").some((flags) => hasFlag(flags, allowed.noView))
  );
}

/** @param {PDFObject} value @param {number} flag */
const hasFlag = (value, flag) => value instanceof PDFNumber && (value.asNumber() & flag) !== 0;

/** @param {PDFDict} catalog @param {Versions} versions */
function isActiveCatalog(catalog, versions) {
  return (
    !hasOnly(catalog, allowed.catalogKeys) ||
    versions.dicts(catalog, "Names").some((names) => !hasOnly(names, allowed.nameTrees)) ||
    versions.dicts(catalog, "Pages").some((pages) => !(pages instanceof PDFPageTree)) ||
    versions
      .dicts(catalog, "OpenAction")
      .some((action) => isAction(action) && !isAllowedAction(action, versions, allowed.openActions))
  );
}

/** @param {PDFDict} dict */
const isAction = (dict) => dict.has(PDFName.of("S"));

/** @param {PDFDict} action @param {Versions} versions @param {ReadonlySet<string>} kinds */
function isAllowedAction(action, versions, kinds) {
  return (
    hasOnly(action, allowed.actionKeys) &&
    areIn(kinds, versions.names(action, "S")) &&
    areIn(allowed.namedActions, versions.names(action, "N"))
  );
}

/** @param {PDFDict} dict */
const isPageOrTree = (dict) => dict instanceof PDFPageTree || hasOnly(dict, allowed.pageKeys);

/** @param {PDFDict} dict */
const keysOf = (dict) => dict.keys().map((key) => key.decodeText());

/** @param {PDFDict} dict @param {ReadonlySet<string>} known */
const hasOnly = (dict, known) => keysOf(dict).every((key) => known.has(key) || allowed.privateKey.test(key));

/** @param {ReadonlySet<string>} known @param {string[]} names */
const areIn = (known, names) => names.every((name) => known.has(name));
