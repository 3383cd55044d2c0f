import * as z from "zod";
import { originPattern } from "./url-pattern.ts";

/*
 * Every format of the interface is one published pattern (gap G21), so that zod and any JSON Schema validator agree.
 * The patterns use no flag except `u`, which JSON Schema implies, and no Unicode classes. They count code points and
 * run in linear time. A format's name is the rule id of its violation.
 */

const control = "\\u0000-\\u001f\\u007f-\\u009f";
const surrogate = "\\ud800-\\udfff";

/** A description of each format, for error messages and the OpenAPI document. */
export const formatHelp: Record<string, string> = {};

function format(name: string, pattern: string, help: string, published: Record<string, unknown> = {}) {
  formatHelp[name] = help;
  const meta = { description: help, "x-decision": "G21", ...published };
  return z.stringFormat(name, new RegExp(pattern, "u")).meta(meta);
}

function freeText(max: number) {
  return format(
    `text-${max}`,
    `^(?=\\s*\\S)[^${control}${surrogate}]{1,${max}}$`,
    `1 to ${max} characters, not only spaces, no control characters.`,
    { minLength: 1, maxLength: max },
  ).transform((text) => text.trim());
}

const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const label = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";

export const email = format(
  "email",
  `^(?=.{1,128}$)${atom}(?:\\.${atom})*@(?:${label}\\.)+(?=[A-Za-z])${label}$`,
  "An e-mail address in ASCII of up to 128 characters, such as name@example.com.",
  { maxLength: 128 },
);

export const memberId = format(
  "member-id",
  `^[^${control}${surrogate}]{1,64}$`,
  "1 to 64 characters, no control characters. Compared exactly, never trimmed.",
  { minLength: 1, maxLength: 64 },
);

formatHelp.date = "A real calendar date in the form yyyy-MM-dd.";
export const calendarDate = z.iso.date().meta({ description: formatHelp.date, "x-decision": "G21" });

formatHelp.datetime = "A date and time with its time zone, such as 2027-01-31T12:00:00Z.";
export const moment = z.iso.datetime({ offset: true }).meta({ description: formatHelp.datetime });

export const countryCode = format(
  "country-code",
  "^[A-Za-z]{2}$",
  "A two-letter country or region code, such as HK or SG. Stored in upper case.",
).transform((code) => code.toUpperCase());

export const callingCode = format(
  "calling-code",
  "^\\+[0-9]{1,4}$",
  "A plus sign and 1 to 4 digits, such as +852.",
);

export const phoneNumber = format("phone-number", "^[0-9]{4,20}$", "4 to 20 digits.");

export const fileUrl = format(
  "http-url",
  `^(?=.{1,2048}$)${originPattern}(?:[/?#][^\\s${control}${surrogate}]*)?$`,
  "An absolute http or https URL of up to 2048 characters, without spaces or credentials.",
  { maxLength: 2048 },
);

/** A raw value of the provider. */
export const rawValue = format(
  "raw-value",
  `^[^${control}${surrogate}]{1,64}$`,
  "1 to 64 characters, no control characters.",
  { minLength: 1, maxLength: 64, "x-decision": "G6" },
);

export const nameText = freeText(64);
export const shortText = freeText(256);
export const addressText = freeText(512);
