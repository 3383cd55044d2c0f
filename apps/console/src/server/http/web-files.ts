import { serveStatic } from "@hono/node-server/serve-static";
import { type Context, Hono } from "hono";
import { compress } from "hono/compress";

/** Serves the built pages in a folder. A path of no file is a view of the app. */
export function webFiles(root: string): Hono {
  const index = serveStatic({ root, path: "index.html" });
  const app = new Hono();
  app.use(async (c, next) => {
    await next();
    // Vite puts files with a hash in their names below assets/.
    const isHashed = c.req.path.startsWith("/assets/");
    if (c.res.ok) c.header("cache-control", isHashed ? "public, max-age=31536000, immutable" : "no-cache");
  });
  app.use(compress({ encoding: "gzip" }), serveStatic({ root }));
  app.use((c, next) => (isView(c) ? index(c, next) : next()));
  app.all("*", (c) => {
    if (c.req.method !== "GET" && c.req.method !== "HEAD") return c.text("Method not allowed.", 405);
    return isView(c) ? c.text("The console's pages are not built.", 503) : c.text("Not found.", 404);
  });
  return app;
}

const isView = ({ req }: Context): boolean => !/^\/assets\/|\.[a-z0-9]{1,11}$/.test(req.path);
