import { readFile } from "node:fs/promises";
import { Hono } from "hono";
import { secureHeaders } from "hono/secure-headers";
import { constantJson } from "../middleware/constant-json.ts";
import { forReaders } from "./for-readers.ts";

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

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>cardbridge API</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <div id="app"></div>
    <script src="/docs/scalar.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

const start = `Scalar.createApiReference("#app", ${JSON.stringify(configuration)});\n`;

/**
 * Creates the docs page at /docs: Scalar with our OpenAPI document. The page's policy blocks all other hosts.
 *
 * @param scalar the file of Scalar's script
 */
export function createDocsApp(document: () => object, scalar: URL): Hono {
  const app = new Hono();
  let script: Promise<Uint8Array<ArrayBuffer>> | undefined;
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
  app.get("/", (c) => c.html(page));
  app.get(
    "/openapi.json",
    constantJson(() => forReaders(document())),
  );
  app.get("/start.js", (c) => c.body(start, 200, { "content-type": "text/javascript; charset=utf-8" }));
  app.get("/scalar.js", async (c) => {
    // All responses share these bytes. A string would be copied for each response.
    script ??= readFile(scalar);
    return c.body(await script, 200, {
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=3600",
    });
  });
  return app;
}
