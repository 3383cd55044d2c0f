import type { Rule } from "@cardbridge/domain";
import type { NewCardholder } from "./wire.ts";

type Address = NewCardholder["individual"]["address"];

const id = "provider-address";
const order =
  "street, further lines, city, postcode and two-letter country, separated by commas or line breaks";

/** Airwallex requires the parts of an address, so the text has to contain each of them. */
export const addressRule: Rule = {
  id,
  section: "G34",
  description: `contactAddress is ${order}.`,
  schema: {},
  inWords: `contactAddress is ${order}, such as 38 Example Road, Hong Kong, 999077, HK.`,
  check: ({ contactAddress }) =>
    typeof contactAddress !== "string" || isComplete(splitAddress(contactAddress))
      ? []
      : [
          {
            path: ["contactAddress"],
            rule: id,
            message: `Send ${order}, such as 38 Example Road, Hong Kong, 999077, HK.`,
          },
        ],
};

/** Splits an address at commas and line breaks. The last three parts are city, postcode and country. */
export function splitAddress(text: string): Address {
  const parts = text.split(/[,\n\r]/).flatMap((part) => part.trim() || []);
  const [city = "", postcode = "", country = ""] = parts.slice(-3);
  const [line1 = "", ...lines] = parts.slice(0, -3);
  const line2 = lines.join(", ");
  return { line1, ...(line2 && { line2 }), city, postcode, country: country.toUpperCase() };
}

function isComplete({ line1, country }: Address): boolean {
  return line1 !== "" && /^[A-Z]{2}$/.test(country);
}
