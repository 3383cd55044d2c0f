import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { AxeBuilder } from "@axe-core/playwright";
import { createDocsApp } from "@cardbridge/api/docs/app";
import { openSite } from "@cardbridge/api/docs/site";
import { serve } from "@cardbridge/api/serve";
import { Hono } from "hono";
import { type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { expect } from "vitest";
import { developmentUrl } from "../../../src/document/document.ts";
import { site } from "../../support/site.ts";

const path = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";
/** The installed browser, if any: `CHROMIUM_PATH`, or Debian's path. */
export const browserPath = path !== "" && existsSync(path) ? path : undefined;

/** Serves the built site with the service's own code (addresses, types, Content-Security-Policy), and opens a browser. */
export async function openBrowser() {
  const docs = createDocsApp(openSite(fileURLToPath(site), { publicUrl: developmentUrl, demo: true }));
  const server = await serve(new Hono().route("/docs", docs).fetch, { host: "127.0.0.1", port: 0 });
  const browser = await chromium.launch({
    ...(browserPath && { executablePath: browserPath }),
    headless: true,
    timeout: 0,
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
  });

  /** Opens a page below /docs in a context of its own. Fails on console errors and requests to other hosts. */
  async function readPage(
    path: string,
    options: BrowserContextOptions,
    use: (page: Page, url: string) => Promise<void>,
  ): Promise<void> {
    const context = await browser.newContext(options);
    try {
      const page = await context.newPage();
      // The test's timeout ends a hanging page.
      page.setDefaultTimeout(0);
      const complaints: string[] = [];
      page.on("request", (request) => {
        if (!request.url().startsWith(server.url)) complaints.push(request.url());
      });
      page.on("console", (message) => {
        // The browser reports the status of the page for an unknown address.
        const isStatus = message.location().url.endsWith("/404") && message.text().includes("status of 404");
        if (message.type() === "error" && !isStatus) complaints.push(message.text());
      });
      page.on("pageerror", (error) => complaints.push(error.message));
      await page.goto(`${server.url}/docs${path}`);
      await use(page, server.url);
      expect(complaints).toEqual([]);
    } finally {
      await context.close();
    }
  }

  async function close(): Promise<void> {
    await browser.close();
    await server.close(0);
  }
  return { readPage, close };
}

/** How many pixels of a page are outside its window. */
export const overflowOf = async (page: Page) =>
  Number(await page.evaluate("document.documentElement.scrollWidth - innerWidth"));

/** Fails on violations of accessibility, and if the page scrolls sideways. */
export async function checkPage(page: Page): Promise<void> {
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  // The script that makes scrolling code focusable runs when the browser is idle.
  const unreachable =
    "[...document.querySelectorAll('pre')].filter((code) => code.scrollWidth > code.clientWidth && code.tabIndex < 0).length";
  await expect.poll(() => page.evaluate(unreachable)).toBe(0);
  // The pages have no frames, which the other mode checks in a second page.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
}
