import { readFile } from "node:fs/promises";
import { Hono } from "hono";
import { secureHeaders } from "hono/secure-headers";
import { constantContent, immutable, revalidated } from "../middleware/constant-content.ts";
import { forReaders } from "./for-readers.ts";
import { type Described, type Guide, withGuides } from "./guides.ts";
import { createGuidesApp } from "./guides-app.ts";

const configuration = {
  url: "/docs/openapi.json",
  withDefaultFonts: false,
  defaultOpenAllTags: true,
  orderSchemaPropertiesBy: "preserve",
  orderRequiredPropertiesFirst: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: "never",
  agent: { disabled: true },
  mcp: { disabled: true },
};

const pageOf = (version: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>cardbridge API</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <div id="app"></div>
    <script src="/docs/${version}/scalar.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

const start = `Scalar.createApiReference("#app", ${JSON.stringify(configuration)});\n`;

const javascript = "text/javascript; charset=utf-8";

interface DocsOptions {
  /** Creates the OpenAPI document. */
  document: () => Described;
  /** The file of Scalar's script. */
  scalar: URL;
  guides: readonly Guide[];
  publicUrl: string;
}

/**
 * Creates the docs page at /docs, which is Scalar with our OpenAPI document, and the guides. Their policy blocks all
 * other hosts.
 */
export function createDocsApp({ document, scalar, guides, publicUrl }: DocsOptions): Hono {
  const app = new Hono();
  const script = constantContent(javascript, () => readFile(scalar));
  const page = constantContent("text/html; charset=UTF-8", async () => pageOf(await script.version()));
  const startScript = constantContent(javascript, async () => start);
  const readable = constantContent("application/json", async () =>
    JSON.stringify(forReaders(withGuides(document(), guides))),
  );
  app.use(
    secureHeaders({
      contentSecurityPolicy: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", "data:"],
        fontSrc: ["'self'", "data:"],
        connectSrc: ["'self'"],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
      },
    }),
  );
  app.get("/", page.serve(revalidated));
  app.get("/openapi.json", readable.serve(revalidated));
  app.get("/start.js", startScript.serve(revalidated));
  app.route("/platforms", createGuidesApp(guides, publicUrl));
  // A page of another release may request its script here, so every version returns the current script.
  app.get(
    "/:version/scalar.js",
    script.serve((c, version) => (c.req.param("version") === version ? immutable : revalidated)),
  );
  return app;
}
