import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { newSubmission, startTestService } from "@cardbridge/api/testing";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { createBrowserClient, problemOf } from "../src/index.ts";
import { errorOf } from "./support/error-of.ts";
import { serve } from "./support/server.ts";

/* Tests the client of a web page, whose own server forwards the calls with the API key. */
let service: Awaited<ReturnType<typeof startTestService>>;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

/** A page with a server that forwards `/api/trpc/…` of requests with its header, and adds the key. */
async function page() {
  const forwarded: string[] = [];
  const origin = await serve((request, response) => {
    forward(request, response).catch(() => response.destroy());
  });
  async function forward(request: IncomingMessage, response: ServerResponse) {
    if (request.headers["x-page"] !== "1" || !request.url?.startsWith("/api/trpc/")) {
      return response.writeHead(403).end();
    }
    forwarded.push(`${request.method} ${new URL(request.url, "http://localhost").pathname}`);
    const body: Buffer[] = [];
    for await (const chunk of request) body.push(chunk);
    const { "content-type": type, "last-event-id": lastEventId } = request.headers;
    const answer = await fetch(`${service.url}${request.url.slice("/api".length)}`, {
      method: request.method ?? "GET",
      headers: {
        authorization: `Bearer ${service.caller().key}`,
        ...(type && { "content-type": type }),
        ...(lastEventId && { "last-event-id": String(lastEventId) }),
      },
      ...(body.length > 0 && { body: Buffer.concat(body) }),
    });
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
    for await (const chunk of answer.body ?? []) response.write(chunk);
    response.end();
  }
  vi.stubGlobal("location", new URL("/queue?open=true", origin));
  onTestFinished(() => void vi.unstubAllGlobals());
  return { forwarded };
}

const headers = { "x-page": "1" };

it("calls its own server by a relative path, with its header, also for a subscription", async () => {
  const { forwarded } = await page();
  const { cards, kyc } = createBrowserClient({ path: "/api", headers });
  expect((await cards.list.query({ memberId: "alice" })).total).toBe(4);
  expect(problemOf(await errorOf(cards.list.query({ memberId: "nobody" })))?.code).toBe("USER_NOT_FOUND");
  const types: string[] = [];
  await new Promise<void>((resolve, reject) => {
    const subscription = kyc.changes.subscribe(undefined, {
      onData({ data }) {
        types.push(data.type);
        if (types.length === 1) kyc.submit.mutate(newSubmission()).catch(reject);
        else resolve();
      },
      onError: reject,
    });
    onTestFinished(() => subscription.unsubscribe());
  });
  expect(types).toEqual(["subscription.started", "kyc.updated"]);
  expect(new Set(forwarded)).toEqual(
    new Set(["GET /api/trpc/cards.list", "GET /api/trpc/kyc.changes", "POST /api/trpc/kyc.submit"]),
  );
});

it("a response of the page's server that is not cardbridge's is an error without a problem", async () => {
  await page();
  const error = await errorOf(createBrowserClient({ path: "/api/" }).cards.list.query({ memberId: "alice" }));
  expect((error as Error).message).toContain("403");
  expect(problemOf(error)).toBeUndefined();
});

it("needs a browser, and a path on its own origin", async () => {
  expect(() => createBrowserClient({ path: "/api" })).toThrow("needs a browser");
  await page();
  for (const path of ["https://elsewhere.example/api", "//elsewhere.example/api"])
    expect(() => createBrowserClient({ path })).toThrow("own origin");
});

it("bundles for browsers, without modules of Node, in at most 20 kB", async () => {
  const { outputFiles } = await build({
    stdin: { contents: 'export { createBrowserClient } from "./src/index.ts";', resolveDir: "." },
    bundle: true,
    write: false,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
  });
  const [script] = outputFiles;
  expect(gzipSync(script?.contents ?? "").byteLength).toBeLessThan(20_000);
  expect(script?.text).not.toContain("Bearer");
});
