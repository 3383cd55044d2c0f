/*
 * Patterns for absolute http(s) URLs. Named parts keep them readable; each part runs in linear time.
 */

const label = "[A-Za-z0-9_](?:[A-Za-z0-9_\\-]{0,61}[A-Za-z0-9_])?";
/** The last label starts with a letter. Otherwise URL parsers read the host as an IPv4 address. */
const topLabel = "[A-Za-z](?:[A-Za-z0-9\\-]{0,61}[A-Za-z0-9])?";
const name = `(?:${label}\\.)*${topLabel}\\.?`;

const byte = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
const ipv4 = `(?:${byte}\\.){3}${byte}`;
/** The characters of an IPv6 address. Only a URL parser can validate the address. */
const ipv6 = "\\[[0-9A-Fa-f:.]{2,45}\\]";

const port = "(?::(?:[0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]))?";

/** Scheme, host and port of an http(s) URL. */
export const originPattern = `[Hh][Tt][Tt][Pp][Ss]?://(?:${name}|${ipv4}|${ipv6})${port}`;

/** Scheme, host and port of an https URL. */
export const httpsOriginPattern = `[Hh][Tt][Tt][Pp][Ss]://(?:${name}|${ipv4}|${ipv6})${port}`;

/** Scheme, host and port of an http URL with a loopback host. */
export const loopbackOriginPattern = `[Hh][Tt][Tt][Pp]://(?:[Ll][Oo][Cc][Aa][Ll][Hh][Oo][Ss][Tt]|127(?:\\.${byte}){3}|\\[::1\\])${port}`;

/** Scheme and host of an https URL with a host name of two labels or more, on the default port. */
export const namedHttpsPattern = `[Hh][Tt][Tt][Pp][Ss]://(?:${label}\\.)+${topLabel}\\.?(?::443)?`;

/** The rest of a URL after the origin: path, query and fragment. */
export const urlRest = "(?:[\\/?#][^\\x00-\\x20\\x7f-\\xa0]*)?";

/** A pattern for an origin in the form of `new URL(…).origin`: in any case, with or without its default port. */
export function originVariants(origin: string): string {
  const { protocol, port } = new URL(origin);
  const defaultPort = protocol === "https:" ? 443 : 80;
  return caseless(origin) + (port === "" ? `(?::${defaultPort})?` : "");
}

/** A pattern that matches a text case-insensitively. */
function caseless(text: string): string {
  return [...text]
    .map((character) => {
      const [lower, upper] = [character.toLowerCase(), character.toUpperCase()];
      return lower === upper ? character.replace(/[.*+?^${}()|[\]\\]/, "\\$&") : `[${lower}${upper}]`;
    })
    .join("");
}
