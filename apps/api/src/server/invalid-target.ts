import type { IncomingMessage } from "node:http";
import type { Failure } from "@cardbridge/domain";
import { malformed } from "../http/errors/malformed.ts";

/**
 * A path in normal form: the characters that no reader changes, and percent-encoded delimiters, which identifiers may
 * contain. A semicolon is not allowed, because some servers end a segment there.
 */
const normalPath = /^(?:\/|(?:\/(?:[\w.~!$&'()*+,=:@-]|%(?:2[46BCbc]|3[ADad]|40))+)+\/?)$/;
const dotSegment = /\/\.\.?(?:\/|$)/;
const origin = /^https?:\/\/([^/?#]*)/;

/**
 * Checks the raw request target before any other code reads it, so that routes and proxy rules match the path that was
 * sent. Returns undefined if it is valid.
 */
export function invalidTarget({
  url = "",
  headers,
}: Pick<IncomingMessage, "url" | "headers">): Failure | undefined {
  const [prefix = "", host] = origin.exec(url) ?? [];
  if (host !== undefined && host.toLowerCase() !== headers.host?.toLowerCase()) {
    return malformed("target", "Send a path as the request target, or the URL of the Host header.");
  }
  const target = url.slice(prefix.length);
  const query = target.indexOf("?");
  const path = query < 0 ? target : target.slice(0, query);
  if (!normalPath.test(path) || dotSegment.test(path)) {
    return malformed(
      "target",
      "Send the path in its normal form: it starts with one slash, and has no empty or dot segments, no backslash, no " +
        "semicolon, and no percent-encoding except of the delimiters $&+,:=@.",
    );
  }
  return target.includes("#") ? malformed("target", "Send the target without a fragment.") : undefined;
}
