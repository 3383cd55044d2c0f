/*
 * A pattern for absolute http(s) URLs. Every URL parser accepts what it matches. Named parts keep it readable; each
 * part runs in linear time.
 */

const label = "[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?";
/** The last label starts with a letter. Otherwise URL parsers read the host as an IPv4 address. */
const topLabel = "[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
const name = `(?:${label}\\.)*${topLabel}\\.?`;

const byte = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
const ipv4 = `(?:${byte}\\.){3}${byte}`;

const port = "(?::(?:[0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]))?";

/** Scheme, host and port of an http(s) URL, without IPv6 addresses. */
export const originPattern = `[Hh][Tt][Tt][Pp][Ss]?://(?:${name}|${ipv4})${port}`;

/** A pattern that matches a text case-insensitively. */
export function caseless(text: string): string {
  return [...text]
    .map((character) => {
      const [lower, upper] = [character.toLowerCase(), character.toUpperCase()];
      return lower === upper ? character.replace(/[.*+?^${}()|[\]\\/]/, "\\$&") : `[${lower}${upper}]`;
    })
    .join("");
}
