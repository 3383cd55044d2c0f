import type { IncomingMessage } from "node:http";
import { Failure } from "@cardbridge/domain";
import { areHeadersTooLarge } from "./limits.ts";
import { malformed } from "../middleware/parse-json.ts";

/** What is wrong with a request's head that Node lets pass; undefined when nothing is. */
export function headFault({ httpVersion, rawHeaders, headers }: IncomingMessage): Failure | undefined {
  if (areHeadersTooLarge(rawHeaders)) return new Failure("HEADERS_TOO_LARGE");
  if (httpVersion !== "1.1" && httpVersion !== "1.0") {
    return malformed("http-version", "Speak HTTP/1.1.");
  }
  // Of two hosts Node would take the first, and a proxy before it perhaps the second.
  if (countHosts(rawHeaders) !== 1) return malformed("host", "Send one Host header.");
  // HTTP/1.0 has no chunks, and other codings would reach us undecoded: whoever frames so may be smuggling.
  const coding = headers["transfer-encoding"];
  if (coding !== undefined && (coding.toLowerCase() !== "chunked" || httpVersion === "1.0")) {
    return malformed(
      "transfer-encoding",
      "Send the body with Content-Length, or chunked and not coded otherwise.",
    );
  }
  return undefined;
}

function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.length === 4 && rawHeaders[i]?.toLowerCase() === "host") count += 1;
  }
  return count;
}
