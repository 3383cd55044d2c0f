import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { type ServerType, serve } from "@hono/node-server";
import { Hono } from "hono";
import { streamSSE } from "hono/streaming";
import { createProcedures, type FakeState, Refusal } from "./procedures.ts";

const builtPages = fileURLToPath(new URL("../../../dist/web", import.meta.url));
const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};
/** The policy of the console's server: nothing inline, nothing from elsewhere. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

/** A console's server with fixtures instead of a service, for development and for tests of the views. */
export interface FakeConsole {
  url: string;
  state: FakeState;
  /** Everything that the procedures have answered: what a view may show that is not one of its words. */
  answered: readonly unknown[];
  /** Sends the change of a record to every open page. */
  change(kycRecordId: string): void;
  /** Ends all open streams, and refuses new ones until it is called with false. */
  cut(off: boolean): void;
  close(): Promise<void>;
}

/** @param files the folder of the built pages */
export async function startFakeConsole(state: FakeState, port = 0, files = builtPages): Promise<FakeConsole> {
  const procedures = createProcedures(state);
  const answered: unknown[] = [];
  const streams = new Set<{ send(kycRecordId: string): void; end(): void }>();
  let off = false;
  let position = 0;
  const app = new Hono();

  app.use(async (c, next) => {
    await next();
    c.header("content-security-policy", policy);
    c.header("x-content-type-options", "nosniff");
  });
  app.get("/api/session", (c) => {
    const { environment, me } = state;
    if (state.signedOut) return c.json({ environment }, 401);
    return c.json({ environment, slaHours: 4, name: me.name });
  });
  app.post("/auth/sign-out", (c) => {
    state.signedOut = true;
    return c.json({ redirect: "/" });
  });
  app.get("/api/trpc/records.changes", (c) => {
    if (off || state.signedOut) return c.body(null, 503);
    return streamSSE(c, async (stream) => {
      await stream.writeSSE({
        event: "connected",
        data: JSON.stringify({ reconnectAfterInactivityMs: 45_000 }),
      });
      await new Promise<void>((resolve) => {
        const entry = {
          send: (kycRecordId: string) =>
            void stream.writeSSE({ id: `1-${++position}`, data: JSON.stringify(changed(kycRecordId)) }),
          end: () => resolve(),
        };
        streams.add(entry);
        stream.onAbort(() => {
          streams.delete(entry);
          resolve();
        });
      });
    });
  });
  app.post("/api/trpc/:names", async (c) => {
    if (!c.req.header("x-cardbridge-console")) return c.json({}, 403);
    if (state.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, state.delayMs));
    const names = c.req.param("names").split(",");
    const body: unknown = await c.req.json().catch(() => ({}));
    const inBatch = c.req.query("batch") === "1";
    const answers = names.map((name, index) => {
      const input = inBatch ? Object(body)[index] : body;
      try {
        if (state.signedOut) throw new Refusal(401, "SIGN_IN_REQUIRED", "Sign in to continue.");
        const run = procedures[name];
        if (!run) throw new Refusal(404, "ROUTE_NOT_FOUND", `There is no ${name}.`);
        const data = run(input ?? {});
        answered.push(data);
        return { status: 200, answer: { result: { data } } };
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return { status: error.status, answer: { error: error.shape(name) } };
      }
    });
    const status = answers.length === 1 ? (answers[0]?.status ?? 200) : 207;
    const bodies = answers.map(({ answer }) => answer);
    return new Response(JSON.stringify(inBatch ? bodies : bodies[0]), {
      status,
      headers: { "content-type": "application/json", "cache-control": "no-store" },
    });
  });
  app.get("/*", async (c) => {
    const path = normalize(join(files, c.req.path));
    const file = path.startsWith(files) && extname(path) !== "" ? path : join(files, "index.html");
    const content = await readFile(file).catch(() => undefined);
    if (!content) return c.notFound();
    return c.body(new Uint8Array(content), 200, {
      "content-type": types[extname(file)] ?? "application/octet-stream",
    });
  });

  const server = await new Promise<ServerType>((resolve) => {
    const started = serve({ fetch: app.fetch, hostname: "127.0.0.1", port }, () => resolve(started));
  });
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : port}`,
    state,
    answered,
    change: (kycRecordId) => {
      for (const stream of streams) stream.send(kycRecordId);
    },
    cut: (next) => {
      off = next;
      if (next) for (const stream of [...streams]) stream.end();
      if (next) streams.clear();
    },
    close: () =>
      new Promise((resolve) => {
        for (const stream of streams) stream.end();
        if ("closeAllConnections" in server) server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** An event of records.changes. */
const changed = (kycRecordId: string) => ({
  type: "record.changed",
  timestamp: new Date().toISOString(),
  data: { kycRecordId, status: null },
});
