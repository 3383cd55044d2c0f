import { hash } from "node:crypto";

const style =
  "body{max-width:36rem;margin:20vh auto;padding:0 1rem;font:16px/1.65 system-ui,sans-serif;color-scheme:light dark}";

/** The page while the site has no build. The browser requests it again. */
export const unbuiltPage = `<!doctype html>
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

export const unbuiltHeaders = {
  "content-security-policy": `default-src 'none'; img-src data:; style-src 'sha256-${hash("sha256", style, "base64")}'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'`,
  "retry-after": seconds,
  refresh: seconds,
};
