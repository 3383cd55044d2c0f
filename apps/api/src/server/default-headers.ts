import { Hono } from "hono";
import { secureHeaders } from "hono/secure-headers";

/** The content policy of all that is no page: nothing is loaded, framed, sent or run. */
const contentSecurityPolicy = {
  defaultSrc: ["'none'"],
  frameAncestors: ["'none'"],
  formAction: ["'none'"],
};

/**
 * What every answer carries that does not say otherwise itself: what a browser is told, and, as answers are about
 * people, that no cache keeps one. Hono is asked once, for the server to set them with every answer.
 */
export const defaultHeaders: Readonly<Record<string, string>> = {
  ...Object.fromEntries((await answerOf(secureHeaders({ contentSecurityPolicy }))).headers),
  "cache-control": "no-store",
};

async function answerOf(middleware: ReturnType<typeof secureHeaders>): Promise<Response> {
  return new Hono()
    .use(middleware)
    .get("/", (c) => c.body(null))
    .request("/");
}
