import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { serve } from "../../../src/server/serve.ts";
import { fakeApp, uploadPath } from "../../support/fakes.ts";
import { browserPath, withBrowser } from "./browser.ts";

interface Init {
  body?: string;
  credentials?: "include";
  headers?: Record<string, string>;
}

/** Uploads bytes from the page, as the guide shows, and returns what the page can read. */
const upload = async ({ url, init }: { url: string; init: Init }) => {
  try {
    const file = new File(["bytes"], "selfie.jpg", { type: "image/jpeg" });
    const response = await fetch(url, { method: "PUT", body: file, ...init });
    const { code } = (await response.json()) as { code?: string };
    return { status: response.status, code, hasId: response.headers.get("x-request-id") !== null };
  } catch {
    return "blocked";
  }
};

it("a page of another origin uploads to an upload URL, and reads its errors, but calls no other route", async (context) => {
  if (!browserPath) return context.skip("not run: no chromium on this machine; set CHROMIUM_PATH");
  const { app, gates } = fakeApp();
  const service = await serve(app.fetch, { host: "127.0.0.1", port: 0 }, { gates });
  const pages = createServer((_, response) =>
    response.setHeader("content-type", "text/html").end("<h1>Page</h1>"),
  );
  await once(pages.listen(0, "127.0.0.1"), "listening");
  const uploadUrl = service.url + uploadPath();

  await withBrowser(browserPath, async (browser) => {
    const page = await browser.newPage();
    // Another site than 127.0.0.1, on which the service listens.
    await page.goto(`http://localhost:${(pages.address() as AddressInfo).port}/`);
    const from = (url: string, init: Init = {}) => page.evaluate(upload, { url, init });
    expect(await from(uploadUrl)).toMatchObject({ status: 201, hasId: true });
    expect(await from(`${uploadUrl}x`)).toEqual({ status: 401, code: "UNAUTHENTICATED", hasId: true });
    const large = { body: "x".repeat(200_000) };
    expect(await from(uploadUrl, large)).toEqual({ status: 413, code: "PAYLOAD_TOO_LARGE", hasId: true });
    expect(await from(uploadUrl, { credentials: "include" })).toBe("blocked");
    expect(await from(uploadUrl, { headers: { authorization: "Bearer x" } })).toBe("blocked");
    for (const path of ["/openapi/v1/files", "/files/file_1"])
      expect(await from(service.url + path)).toBe("blocked");
  });
  pages.close();
  await service.close(0);
});
