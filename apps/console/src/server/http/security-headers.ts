import type { MiddlewareHandler } from "hono";

/**
 * The policy of the console's pages. Vite inlines small images as data: URLs in its styles. Pictures of evidence are blob:
 * URLs, which end with the page.
 */
function contentSecurityPolicy(issuerOrigin: string | undefined): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    `form-action 'self'${issuerOrigin === undefined ? "" : ` ${issuerOrigin}`}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}

/** The default headers of every response. Only static files may be cached. */
export function securityHeaders(publicUrl: string, issuerOrigin: string | undefined): MiddlewareHandler {
  const headers: Record<string, string> = {
    "content-security-policy": contentSecurityPolicy(issuerOrigin),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "origin-agent-cluster": "?1",
    "permissions-policy":
      "camera=(), microphone=(), geolocation=(), payment=(), usb=(), publickey-credentials-get=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    ...(publicUrl.startsWith("https:")
      ? { "strict-transport-security": "max-age=31536000; includeSubDomains" }
      : {}),
  };
  return async (c, next) => {
    await next();
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    if (!c.res.headers.has("cache-control")) c.header("cache-control", "no-store");
  };
}
