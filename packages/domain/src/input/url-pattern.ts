/*
 * An absolute http(s) URL as one pattern: what it accepts, every parser of URLs accepts. It is made of
 * parts because nobody can read it whole; each of them takes linear time.
 */

const label = "[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?";
/** The last label begins with a letter: a number there would make the host an IPv4 address. */
const topLabel = "[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
const name = `(?:${label}\\.)*${topLabel}\\.?`;

const byte = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
const ipv4 = `(?:${byte}\\.){3}${byte}`;

const port = "(?::(?:[0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]))?";

/** Scheme, host and port of an http(s) URL; IPv6 addresses are not taken. */
export const originPattern = `[Hh][Tt][Tt][Pp][Ss]?://(?:${name}|${ipv4})${port}`;

/** A pattern that matches a text whatever the case of its letters. */
export function caseless(text: string): string {
  return [...text]
    .map((character) => {
      const [lower, upper] = [character.toLowerCase(), character.toUpperCase()];
      return lower === upper ? character.replace(/[.*+?^${}()|[\]\\/]/, "\\$&") : `[${lower}${upper}]`;
    })
    .join("");
}
