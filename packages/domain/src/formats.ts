import { z } from "zod";

/*
 * Every format of the interface as one published pattern (gap G21), so that zod and any JSON Schema
 * validator judge a value alike. The patterns carry no flag but `u`, which JSON Schema implies, name no
 * Unicode class, count code points, and take linear time. A format's name is the rule id of its violation.
 */

const control = "\\u0000-\\u001f\\u007f-\\u009f";
const surrogate = "\\ud800-\\udfff";

/** A sentence for each format: what a value has to look like, for error messages and the document. */
export const formatHelp: Record<string, string> = {};

function format(name: string, pattern: string, help: string, published: Record<string, unknown> = {}) {
  formatHelp[name] = help;
  return z.stringFormat(name, new RegExp(pattern, "u")).meta({ description: help, ...published });
}

function freeText(max: number) {
  return format(
    `text-${max}`,
    `^(?=\\s*\\S)[^${control}${surrogate}]{1,${max}}$`,
    `1 to ${max} characters, at least one of them not a space, no control characters.`,
    { minLength: 1, maxLength: max },
  ).transform((text) => text.trim());
}

formatHelp.email = "An e-mail address of up to 128 characters, such as name@example.com.";
export const email = z.email().max(128).meta({ description: formatHelp.email });

export const memberId = format(
  "member-id",
  `^[^${control}${surrogate}]{1,64}$`,
  "1 to 64 characters, no control characters; compared as sent, never trimmed.",
  { minLength: 1, maxLength: 64 },
);

formatHelp.date = "A real calendar date in the form yyyy-MM-dd.";
export const calendarDate = z.iso.date().meta({ description: formatHelp.date });

export const countryCode = format(
  "country-code",
  "^[A-Za-z]{2}$",
  "A country or region as two letters, such as HK or SG; either case, kept in capitals.",
).transform((code) => code.toUpperCase());

export const callingCode = format(
  "calling-code",
  "^\\+[0-9]{1,4}$",
  "A plus sign and 1 to 4 digits, such as +852.",
);

export const phoneNumber = format("phone-number", "^[0-9]{4,20}$", "4 to 20 digits and nothing else.");

export const fileUrl = format(
  "http-url",
  `^(?=.{1,2048}$)[Hh][Tt][Tt][Pp][Ss]?://([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+\\])(:[0-9]{1,5})?([/?#][^\\s${control}${surrogate}]*)?$`,
  "An absolute http or https URL of up to 2048 characters, without spaces or credentials.",
  { maxLength: 2048 },
);

export const shortText = freeText(256);
export const addressText = freeText(512);
