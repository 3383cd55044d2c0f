import type { Rule } from "@cardbridge/domain";

const id = "provider-name";
const letters = "[A-Za-z][A-Za-z.,'-]*";

/** At least two words of English characters. */
const pattern = `^[\\x20\\xa0]*${letters}(?:\\x20+${letters})+[\\x20\\xa0]*$`;
const matches = new RegExp(pattern);

/** Airwallex requires a first and a last name in English characters. */
export const nameRule: Rule = {
  id,
  section: "G34",
  description: "name has at least two words of English letters; the last word is the family name.",
  schema: { properties: { name: { pattern } } },
  check: ({ name }) =>
    typeof name !== "string" || matches.test(name)
      ? []
      : [
          {
            path: ["name"],
            rule: id,
            message: "Send at least two words of English letters, the family name last.",
          },
        ],
};

/** Splits a name before its last word. */
export function splitName(name: string): { first_name: string; last_name: string } {
  const words = name.trim().split(/\s+/);
  return { first_name: words.slice(0, -1).join(" "), last_name: words.at(-1) ?? "" };
}
