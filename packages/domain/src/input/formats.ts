import * as z from "zod";
import { datePattern } from "./date-pattern.ts";
import { format, formatHelp } from "./format.ts";
import { originPattern, urlRest } from "./url-pattern.ts";
import { isVisible } from "./visible.ts";

/*
 * Every format of the interface is one published pattern and its lengths in code points (G21), so that zod and any
 * JSON Schema validator agree. The patterns have no flags, no lookarounds and only ASCII classes, so that ECMAScript
 * (without a flag, with `u`, and with `v` as HTML's attribute `pattern`), RE2 and Python match the same texts. `v` needs
 * escapes of / - { } | in classes. Every format has a maximum length, because in Python $ also matches before a final line
 * break. `inWords` has the conditions that patterns cannot express. The name of a format is the rule id of its violation.
 */

const control = "\\x00-\\x1f\\x7f-\\x9f";
/** The control characters except the line breaks \n and \r. */
const controlInLine = "\\x00-\\x09\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f";

const wellFormed = {
  description: "It has no lone surrogates.",
  holds: (text: string) => text.isWellFormed(),
};
const visible = {
  description:
    "At least one character is visible: not a space, a combining mark, or a character without a glyph. " +
    "It has no lone surrogates.",
  holds: (text: string) => wellFormed.holds(text) && isVisible(text),
};

const visibleText = {
  pattern: `^[\\x20\\xa0]*[^\\x00-\\x20\\x7f-\\xa0][^${control}]*$`,
  inWords: visible,
};
const visibleLines = {
  pattern: `^[\\x0a\\x0d\\x20\\xa0]*[^\\x00-\\x20\\x7f-\\xa0][^${controlInLine}]*$`,
  inWords: visible,
};

/** A text of 1 to `maxLength` characters, trimmed; with `lines`, it may have line breaks. */
export function freeText(maxLength: number, { lines }: { lines: boolean }) {
  return format(`text-${maxLength}`, {
    ...(lines ? visibleLines : visibleText),
    minLength: 1,
    maxLength,
    help: `1 to ${maxLength} characters, at least one of them visible, no control characters${lines ? " except line breaks" : ""}.`,
  }).transform((text) => text.trim());
}

const atom = "[A-Za-z0-9!#$%&'*+\\/=?^_`\\{\\|\\}~\\-]+";
const label = "[A-Za-z0-9](?:[A-Za-z0-9\\-]{0,61}[A-Za-z0-9])?";
const topLabel = "[A-Za-z](?:[A-Za-z0-9\\-]{0,61}[A-Za-z0-9])?";

export const email = format("email", {
  pattern: `^${atom}(?:\\.${atom})*@(?:${label}\\.)+${topLabel}$`,
  maxLength: 128,
  help: "An e-mail address in ASCII of up to 128 characters, such as name@example.com.",
});

export const memberId = format("member-id", {
  ...visibleText,
  minLength: 1,
  maxLength: 64,
  help: "1 to 64 characters, at least one of them visible, no control characters. Compared exactly, never trimmed.",
});

/** The header Idempotency-Key, without its optional quotes. */
export const idempotencyKey = format("idempotency-key", {
  pattern: "^[\\x21-\\x7e]+$",
  minLength: 1,
  maxLength: 255,
  help: "1 to 255 visible ASCII characters.",
});

export const calendarDate = format("date", {
  pattern: `^${datePattern}$`,
  maxLength: 10,
  help: "A real calendar date in the form yyyy-MM-dd.",
});

formatHelp.datetime = "A date and time with its time zone, such as 2027-01-31T12:00:00Z.";
export const moment = z.iso.datetime({ offset: true }).meta({ description: formatHelp.datetime });

/** A moment that PostgreSQL compares with stored ones: it has no year 0 and no larger offsets. */
export const searchedMoment = format("datetime", {
  pattern: `^${datePattern}T(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\\.[0-9]{1,9})?)?(?:Z|[+\\-](?:0[0-9]|1[0-5]):[0-5][0-9])$`,
  maxLength: 35,
  inWords: { description: "The year is not 0000.", holds: (text) => !text.startsWith("0000") },
  help: formatHelp.datetime,
});

export const countryCode = format("country-code", {
  pattern: "^[A-Za-z]{2}$",
  maxLength: 2,
  help: "A two-letter country or region code, such as HK or SG. Stored in upper case.",
}).transform((code) => code.toUpperCase());

export const callingCode = format("calling-code", {
  pattern: "^\\+[1-9][0-9]{0,3}$",
  maxLength: 5,
  help: "A plus sign and 1 to 4 digits, the first not 0, such as +852.",
});

export const phoneNumber = format("phone-number", {
  pattern: "^[0-9]{4,20}$",
  maxLength: 20,
  help: "4 to 20 digits.",
});

/** Any absolute URL. A policy restricts the hosts: see kyc/file-origins.ts. */
export const fileUrl = format("http-url", {
  pattern: `^${originPattern}${urlRest}$`,
  maxLength: 2048,
  inWords: {
    description: "The parser of the URL standard accepts it. It has no lone surrogates.",
    holds: (text) => wellFormed.holds(text) && URL.canParse(text),
  },
  help: "An absolute http or https URL of up to 2048 characters, without spaces or credentials.",
});

/** A raw value of the provider. */
export const rawValue = format("raw-value", {
  pattern: `^[^${control}]+$`,
  minLength: 1,
  maxLength: 64,
  inWords: wellFormed,
  help: "1 to 64 characters, no control characters.",
});

/** A text that a search compares with stored ones. */
export const searchedText = (maxLength: number) =>
  format(`searched-text-${maxLength}`, {
    pattern: `^[^${control}]+$`,
    minLength: 1,
    maxLength,
    inWords: wellFormed,
    help: `1 to ${maxLength} characters, no control characters.`,
  });

export const nameText = freeText(64, { lines: false });
export const shortText = freeText(256, { lines: false });
export const noteText = freeText(4_000, { lines: true });

formatHelp.sha256 = "64 hexadecimal digits in lower case: a SHA-256.";
/** SHA-256 in hexadecimal. */
export const sha256 = z.stringFormat("sha256", /^[0-9a-f]{64}$/).meta({ maxLength: 64 });
