import { PDFArray, PDFDict, PDFHexString, PDFName, PDFRef, PDFString } from "@cantoo/pdf-lib";
import { TooLarge } from "./streams.js";

/** @typedef {import("@cantoo/pdf-lib").PDFObject} PDFObject */

/** A statement of a thousand pages needs a hundredth. Limits the time for many references to one large array. */
const maxValues = 5_000_000;

/** Every object of a PDF, including its older versions: readers disagree about which version is current. */
export class Versions {
  /** @type {PDFObject[]} */
  objects = [];
  /** @type {Map<PDFRef, PDFObject[]>} */
  #byRef = new Map();
  #left = maxValues;

  /** @param {PDFRef} ref @param {PDFObject} object @throws Error for an object that is only a reference */
  add(ref, object) {
    if (object instanceof PDFRef) throw new Error("Reference to a reference");
    this.objects.push(object);
    const versions = this.#byRef.get(ref);
    if (versions) versions.push(object);
    else this.#byRef.set(ref, [object]);
  }

  /** Every version of a value, which may be a reference. @param {PDFObject | undefined} value @throws TooLarge */
  of(value) {
    const versions = value instanceof PDFRef ? (this.#byRef.get(value) ?? []) : value ? [value] : [];
    this.#left -= versions.length;
    if (this.#left < 0) throw new TooLarge();
    return versions;
  }

  /**
   * Every version of an entry's value, and of its elements if it is an array.
   * @param {PDFDict} dict @param {string} key
   */
  entry(dict, key) {
    return this.of(dict.get(PDFName.of(key))).flatMap((value) =>
      value instanceof PDFArray ? value.asArray().flatMap((element) => this.of(element)) : [value],
    );
  }

  /** The dictionaries among the values of an entry. @param {PDFDict} dict @param {string} key */
  dicts(dict, key) {
    return this.entry(dict, key).filter((value) => value instanceof PDFDict);
  }

  /** The names among the values of an entry. @param {PDFDict} dict @param {string} key */
  names(dict, key) {
    return this.entry(dict, key).flatMap((value) => (value instanceof PDFName ? [value.decodeText()] : []));
  }

  /** The strings among the values of an entry. @param {PDFDict} dict @param {string} key */
  texts(dict, key) {
    return this.entry(dict, key).flatMap((value) =>
      value instanceof PDFString || value instanceof PDFHexString ? [value.decodeText()] : [],
    );
  }
}
