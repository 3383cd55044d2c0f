import { hash } from "node:crypto";
import { type Context, Hono } from "hono";
import { accepts } from "hono/accepts";
import { docsPath } from "../../config/paths.ts";
import { immutable, revalidated } from "../middleware/constant-content.ts";
import type { Site } from "./site.ts";

const style =
  "body{max-width:36rem;margin:20vh auto;padding:0 1rem;font:16px/1.65 system-ui,sans-serif;color-scheme:light dark}";

/** The page while the site has no build. The browser requests it again. */
const unbuiltPage = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>The documentation is being built · cardbridge</title>
    <link rel="icon" href="data:,">
    <style>${style}</style>
  </head>
  <body>
    <h1>The documentation is being built</h1>
    <p>It takes less than a minute after the first start. This page then shows it. All other parts of the service work.</p>
  </body>
</html>
`;

const seconds = "3";

const unbuiltHeaders = {
  "content-security-policy": `default-src 'none'; img-src data:; style-src 'sha256-${hash("sha256", style, "base64")}'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'`,
  "retry-after": seconds,
  refresh: seconds,
};

/** Creates the documentation at /docs: the files of the built site, and the addresses of earlier releases. */
export function createDocsApp(site: Site): Hono {
  const app = new Hono();
  app.get("/guides", (c) => c.redirect(docsPath, 308));
  app.get("/guides/:slug", (c) => {
    const slug = c.req.param("slug");
    return c.redirect(
      `${docsPath}/platforms/${slug === "pagination" ? "cards" : encodeURIComponent(slug)}`,
      308,
    );
  });
  // The first page is at the address of the site.
  app.get("/platforms", (c) => c.redirect(docsPath, 308));
  app.get("/*", async (c, next) => {
    const build = await site.current();
    if (build === undefined) return c.html(unbuiltPage, 503, unbuiltHeaders);
    // Only the names of the folder's listing are served.
    const name = c.req.path.slice(docsPath.length + 1);
    const file = build.files.get(name);
    if (file) {
      c.header("content-security-policy", build.policy);
      return file.serve(name.startsWith("_astro/") ? immutable : revalidated)(c, next);
    }
    const page = name.replace(/\/$/, "");
    if (page !== name && build.files.has(page)) return c.redirect(`${docsPath}/${page}`, 308);
    if (!wantsHtml(c)) return c.notFound();
    return c.html(await build.missingPage(), 404, { "content-security-policy": build.policy });
  });
  return app;
}

/** Whether the caller names HTML, as browsers do. */
const wantsHtml = (c: Context) =>
  accepts(c, { header: "Accept", supports: ["text/html"], default: "" }) === "text/html";
