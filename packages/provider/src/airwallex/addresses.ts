import type { Rule } from "@cardbridge/domain";
import { countryHint, isCountry } from "./countries.ts";

/** An address of Airwallex's model. */
interface Address {
  line1: string;
  line2?: string;
  city: string;
  state?: string;
  postcode: string;
  country: string;
}

const id = "provider-address";
const parts =
  "street, city, postcode and two-letter country code, with a state code before the postcode in US, CA and AU";
const example = "1 Market Street, San Francisco, CA, 94105, US";
const format =
  `Send ${parts}: each on a line of its own, with up to two lines for the street; or separated by commas, if no part ` +
  `contains a comma, such as ${example}. In Hong Kong the postcode is 999077.`;

/** Airwallex requires the parts of an address. A text that has no certain parts is refused before anything is sent. */
export const addressRule: Rule = {
  id,
  section: "G34",
  description: `contactAddress is ${parts}, separated by line breaks or by commas.`,
  schema: {},
  inWords: format,
  check({ contactAddress }) {
    if (typeof contactAddress !== "string") return [];
    const split = splitAddress(contactAddress);
    if (split.address) return [];
    return [{ path: ["contactAddress"], rule: id, message: `${split.fault} ${format}` }];
  },
};

/** The countries whose addresses contain a state, with its codes of ISO 3166-2. */
const statesOf: Readonly<Record<string, string>> = {
  AU: "ACT NSW NT QLD SA TAS VIC WA",
  CA: "AB BC MB NB NL NS NT NU ON PE QC SK YT",
  US:
    "AK AL AR AZ CA CO CT DC DE FL GA HI IA ID IL IN KS KY LA MA MD ME MI MN MO MS MT NC ND NE NH NJ NM NV NY OH OK OR " +
    "PA RI SC SD TN TX UT VA VT WA WI WV WY AS GU MP PR VI",
};

/**
 * Splits an address into its parts, or returns the reason why they are not certain. Line breaks separate the parts;
 * without line breaks, commas do. The position of a part is its meaning, and codes and digits confirm it.
 */
export function splitAddress(
  text: string,
): { address: Address; fault?: never } | { address?: never; fault: string } {
  const lines = text.split(/[\r\n]+/).flatMap((line) => line.replace(/,\s*$/, "").trim() || []);
  const hasLines = lines.length > 1;
  const all = hasLines ? lines : text.split(",").map((part) => part.trim());

  const country = all.at(-1)?.toUpperCase() ?? "";
  if (!isCountry(country)) return { fault: `The last part is not a country code. ${countryHint(country)}` };
  const states = statesOf[country]?.split(" ");
  const street = all.slice(0, states ? -4 : -3);
  const [city = "", second = "", third = ""] = all.slice(street.length);
  if (street.length === 0 || street.length > (hasLines ? 2 : 1) || all.includes("")) {
    return { fault: "The number of parts does not fit." };
  }

  const [state, postcode] = states ? [second.toUpperCase(), third] : [undefined, second];
  if (!isPostcode(postcode, country)) return { fault: "The part before the country is not a postcode." };
  if (state !== undefined && !states?.includes(state)) {
    return { fault: "The part before the postcode is not a state code." };
  }
  if (!isCity(city)) return { fault: "The part of the city contains a digit or a comma." };
  const [line1 = "", line2] = street;
  return {
    address: { line1, ...(line2 && { line2 }), city, ...(state && { state }), postcode, country },
  };
}

/** Each word of a postcode has a digit, apart from the letters of a Dutch one. A city beside it has none. */
function isPostcode(text: string, country: string): boolean {
  const bare = country === "NL" ? text.replace(" ", "") : text.replace(`${country}-`, "");
  const words = bare.split(/[ -]/);
  return (
    text.length <= 10 && words.length <= 2 && words.every((word) => /^(?=.*[0-9])[A-Za-z0-9]+$/.test(word))
  );
}

const isCity = (text: string) => /\p{L}/u.test(text) && !/[\p{Nd},]/u.test(text);
