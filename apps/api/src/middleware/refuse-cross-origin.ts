import { Failure } from "@cardbridge/domain";
import type { MiddlewareHandler } from "hono";
import { isReading } from "../server/methods.ts";

/**
 * Refuses what a web page of another origin would change. Browsers say where a call comes from
 * (`Sec-Fetch-Site`, `Origin`), and servers say nothing: keys belong on servers (gap G19).
 *
 * @param publicUrl where callers reach the service: its docs page may call it
 * @throws Failure CROSS_ORIGIN.
 */
export function refuseCrossOrigin(publicUrl: string): MiddlewareHandler {
  const own = new URL(publicUrl);
  return (c, next) => {
    if (isReading(c.req.method)) return next();
    const hosts = [own.host, c.req.header("host")?.toLowerCase()];
    if (isForeign(c.req.header(), hosts)) throw new Failure("CROSS_ORIGIN");
    return next();
  };
}

function isForeign(headers: Record<string, string>, hosts: (string | undefined)[]): boolean {
  const { origin, "sec-fetch-site": site } = headers;
  if (site !== undefined && site !== "same-origin" && site !== "none") return true;
  // Behind a proxy that speaks TLS the scheme is not the one that we see.
  return origin !== undefined && !(URL.canParse(origin) && hosts.includes(new URL(origin).host));
}
