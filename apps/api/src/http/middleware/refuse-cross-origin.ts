import { Failure } from "@cardbridge/domain";
import type { MiddlewareHandler } from "hono";
import { isReading } from "../../admission/head.ts";
import { isUploadsPath } from "../../config/paths.ts";

/**
 * Refuses writes from web pages of other origins, except to upload URLs (gap G19). Browsers send `Sec-Fetch-Site` and
 * `Origin`; servers send neither.
 *
 * @param publicUrl the service's URL, whose docs page may call it
 * @throws Failure CROSS_ORIGIN.
 */
export function refuseCrossOrigin(publicUrl: string): MiddlewareHandler {
  const own = new URL(publicUrl);
  return (c, next) => {
    if (isReading(c.req.method) || isUploadsPath(c.req.path)) return next();
    const hosts = [own.host, c.req.header("host")?.toLowerCase()];
    if (isCrossOrigin(c.req.header(), hosts)) throw new Failure("CROSS_ORIGIN");
    return next();
  };
}

function isCrossOrigin(headers: Record<string, string>, hosts: (string | undefined)[]): boolean {
  const { origin, "sec-fetch-site": site } = headers;
  if (site !== undefined && site !== "same-origin" && site !== "none") return true;
  // Compare hosts only: behind a TLS proxy, the scheme differs.
  return origin !== undefined && !(URL.canParse(origin) && hosts.includes(new URL(origin).host));
}
