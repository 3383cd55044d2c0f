import { createMiddleware } from "hono/factory";
import { secureHeaders } from "hono/secure-headers";

/** The content policy of all that is no page: nothing is loaded, framed, sent or run. */
const nothing = { defaultSrc: ["'none'"], frameAncestors: ["'none'"], formAction: ["'none'"] };

/** What a browser is told with every answer; the docs page has said its own already. */
export const securityHeaders = secureHeaders({ contentSecurityPolicy: nothing, overwrite: false });

/** Answers are about people: no cache keeps one, unless it says so itself. */
export const neverStored = createMiddleware(async (c, next) => {
  await next();
  if (!c.res.headers.has("cache-control")) c.res.headers.set("cache-control", "no-store");
});

/** What matters of them for a problem that never reaches the app. */
export const refusalHeaders = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; form-action 'none'",
  "x-content-type-options": "nosniff",
};
