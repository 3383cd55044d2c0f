import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname } from "node:path";
import { site } from "../../support/site.ts";

const types: Record<string, string> = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".md": "text/markdown; charset=utf-8",
  ".svg": "image/svg+xml",
  ".webp": "image/webp",
};

/** Serves the built site as the service does: at /docs, without `.html`, and with a strict Content-Security-Policy. */
export async function serveSite(): Promise<{ url: string; close(): Promise<void> }> {
  const { scripts }: { scripts: string[] } = JSON.parse(await readFile(new URL("csp.json", site), "utf8"));
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${scripts.join(" ")}`,
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'none'",
  ].join("; ");

  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://site").pathname.replace(/^\/docs\/?/, "") || "index";
    // The ids of operations have a dot: only a known ending is a file's.
    const name = types[extname(path)] ? path : `${path}.html`;
    const send = (status: number, file: string, content: Buffer) => {
      response.writeHead(status, {
        "content-security-policy": policy,
        "content-type": types[extname(file)] ?? "text/plain; charset=utf-8",
      });
      response.end(content);
    };
    readFile(new URL(name, site))
      .then((content) => send(200, name, content))
      .catch(async () => send(404, "404.html", await readFile(new URL("404.html", site))));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise((closed) => server.close(() => closed())),
  };
}
