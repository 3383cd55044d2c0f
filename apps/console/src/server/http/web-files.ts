import { readdirSync, readFileSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import { gzipSync } from "node:zlib";
import type { Handler } from "hono";

const types: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};
const compressed = new Set([".css", ".html", ".js", ".json", ".svg", ".webmanifest"]);

interface WebFile {
  body: Buffer<ArrayBuffer>;
  gzip: Buffer<ArrayBuffer> | undefined;
  type: string;
  /** Vite puts files with a hash in their names below assets/. */
  isHashed: boolean;
}

/**
 * Serves the built pages from memory, so no path of a request reaches the file system. A path of no file is a view of
 * the app.
 */
export function serveWebFiles(folder: string): Handler {
  const files = readFiles(folder);
  const index = files.get("/index.html");
  return (c) => {
    if (c.req.method !== "GET" && c.req.method !== "HEAD") return c.text("Method not allowed.", 405);
    const isView = !/^\/assets\/|\.[a-z0-9]{1,11}$/.test(c.req.path);
    const file = files.get(c.req.path) ?? (isView ? index : undefined);
    if (!file) return isView ? c.text("The console's pages are not built.", 503) : c.text("Not found.", 404);
    const zips = file.gzip !== undefined && /\bgzip\b/.test(c.req.header("accept-encoding") ?? "");
    c.header("content-type", file.type);
    c.header("cache-control", file.isHashed ? "public, max-age=31536000, immutable" : "no-cache");
    if (file.gzip) c.header("vary", "accept-encoding");
    if (zips) c.header("content-encoding", "gzip");
    return c.body(zips && file.gzip ? file.gzip : file.body);
  };
}

function readFiles(folder: string): Map<string, WebFile> {
  const files = new Map<string, WebFile>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const extension = extname(entry.name);
    const body = readFileSync(path);
    const name = `/${relative(folder, path).split(sep).join("/")}`;
    files.set(name, {
      body,
      gzip: compressed.has(extension) ? gzipSync(body, { level: 9 }) : undefined,
      type: types[extension] ?? "application/octet-stream",
      isHashed: name.startsWith("/assets/"),
    });
  }
  return files;
}
