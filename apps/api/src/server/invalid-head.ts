import type { IncomingMessage } from "node:http";
import { Failure } from "@cardbridge/domain";
import { maxHeaders } from "../config/limits.ts";
import { malformed } from "../http/errors/malformed.ts";

/**
 * A path in normal form: the characters that no reader changes, and percent-encoded delimiters, which identifiers may
 * contain. A semicolon is not allowed, because some servers end a segment there.
 */
const normalPath = /^(?:\/|(?:\/(?:[\w.~!$&'()*+,=:@-]|%(?:2[46BCbc]|3[ADad]|40))+)+\/?)$/;

const dotSegment = /\/\.\.?(?:\/|$)/;

const origin = /^https?:\/\/([^/?#]*)/;

/** Checks a request's head beyond Node's parser. Returns undefined if it is valid. */
export function invalidHead(incoming: IncomingMessage): Failure | undefined {
  const { httpVersion, rawHeaders, headers } = incoming;
  if (rawHeaders.length > 2 * maxHeaders) return new Failure("HEADERS_TOO_LARGE");
  if (httpVersion !== "1.1" && httpVersion !== "1.0") {
    return malformed("http-version", "Use HTTP/1.1.");
  }
  // With two Host headers, Node uses the first; a proxy may use the second.
  if (countHosts(rawHeaders) !== 1 || !isHost(headers.host)) {
    return malformed("host", "Send one Host header: a name or an address, and a port.", "Host");
  }
  // HTTP/1.0 has no chunks, and Node does not decode other codings. Both enable request smuggling.
  const coding = headers["transfer-encoding"];
  if (coding !== undefined && (coding.toLowerCase() !== "chunked" || httpVersion === "1.0")) {
    return malformed(
      "transfer-encoding",
      "Send the body with Content-Length, or with Transfer-Encoding: chunked.",
      "Transfer-Encoding",
    );
  }
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== "100-continue") {
    return malformed("expectation", "Send Expect: 100-continue, or omit the header.", "Expect");
  }
  return invalidTarget(incoming);
}

function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.length === 4 && rawHeaders[i]?.toLowerCase() === "host") count += 1;
  }
  return count;
}

/** Whether the header is a valid host of a URL. Otherwise creating a Request fails or uses another host. */
function isHost(host = ""): boolean {
  const url = `http://${host}`;
  return URL.canParse(url) && new URL(url).hostname === host.toLowerCase().replace(/:\d+$/, "");
}

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
