import { format } from "../input/format.ts";
import type { Rule } from "../input/rule.ts";
import { httpsOriginPattern, loopbackOriginPattern, originPattern } from "../input/url-pattern.ts";
import type { Policies } from "../kyc/policies.ts";

/** The rest of a URL after the origin: path and query, without a fragment. */
const rest = "(?:[\\/?][^\\x00-\\x20#\\x7f-\\xa0]*)?";

/** The URL of an endpoint. A policy restricts its scheme. The connection checks the addresses of its host. */
export const webhookUrl = format("webhook-url", {
  pattern: `^${originPattern}${rest}$`,
  maxLength: 2048,
  inWords: {
    description: "The parser of the URL standard accepts it. It has no lone surrogates.",
    holds: (text) => text.isWellFormed() && URL.canParse(text),
  },
  help: "An absolute URL of up to 2048 characters, without spaces, credentials or a fragment.",
});

/** Restricts the scheme of an endpoint's URL. */
export function webhookUrlRule({ webhookUrls }: Pick<Policies, "webhookUrls">): Rule {
  const id = "webhook-url-scheme";
  const isLoopbackAllowed = webhookUrls === "https-or-loopback";
  const origins = isLoopbackAllowed ? [httpsOriginPattern, loopbackOriginPattern] : [httpsOriginPattern];
  const help = `an https URL${isLoopbackAllowed ? ", or an http URL with a loopback host" : ""}`;
  const pattern = `^(?:${origins.join("|")})${rest}$`;
  const matches = new RegExp(pattern, "u");
  return {
    id,
    section: "G32",
    description: `url is ${help}.`,
    // An invalid URL already has a violation of its format.
    check: ({ url }) =>
      webhookUrl.safeParse(url).success && !matches.test(String(url))
        ? [{ path: ["url"], rule: id, message: `Send ${help}.` }]
        : [],
    schema: { properties: { url: { pattern } } },
  };
}
