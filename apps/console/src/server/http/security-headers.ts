import type { MiddlewareHandler } from "hono";
import { every } from "hono/combine";
import { secureHeaders } from "hono/secure-headers";

/**
 * The default headers of every response. Vite inlines small images as data: URLs in its styles. Pictures of evidence are
 * blob: URLs, which end with the page. Only static files may be cached.
 */
export function securityHeaders(publicUrl: string, issuerOrigin: string): MiddlewareHandler {
  const headers = secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'", "data:", "blob:"],
      fontSrc: ["'self'"],
      connectSrc: ["'self'"],
      formAction: ["'self'", issuerOrigin],
      frameAncestors: ["'none'"],
      baseUri: ["'none'"],
      requireTrustedTypesFor: ["'script'"],
      trustedTypes: ["'none'"],
    },
    permissionsPolicy: {
      ...{ camera: [], microphone: [], geolocation: [], payment: [], usb: [], publickeyCredentialsGet: [] },
    },
    strictTransportSecurity: publicUrl.startsWith("https:") ? "max-age=31536000; includeSubDomains" : false,
    xFrameOptions: "DENY",
  });
  return every(headers, async (c, next) => {
    await next();
    if (!c.res.headers.has("cache-control")) c.header("cache-control", "no-store");
  });
}
