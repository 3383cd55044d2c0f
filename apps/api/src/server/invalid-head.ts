import type { IncomingMessage } from "node:http";
import { Failure } from "@cardbridge/domain";
import { maxHeaders } from "../config/limits.ts";
import { malformed } from "../http/errors/malformed.ts";
import { invalidTarget } from "./invalid-target.ts";

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
