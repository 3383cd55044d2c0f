import { AxeBuilder } from "@axe-core/playwright";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";

/** Opens a page in a context of its own, and fails on console errors and requests to other hosts. */
export async function readPage(
  browser: Browser,
  address: string,
  options: BrowserContextOptions,
  use: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext(options);
  try {
    const page = await context.newPage();
    // The test's timeout ends a hanging page.
    page.setDefaultTimeout(0);
    const complaints: string[] = [];
    page.on("request", (request) => {
      if (!request.url().startsWith(new URL(address).origin)) complaints.push(request.url());
    });
    page.on("console", (message) => {
      // The browser reports the status of the page for an unknown address.
      const isStatus = message.location().url === address && message.text().includes("status of 404");
      if (message.type() === "error" && !isStatus) complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.goto(address);
    await use(page);
    expect(complaints).toEqual([]);
  } finally {
    await context.close();
  }
}

/** Fails on violations of accessibility, and if the page scrolls sideways. */
export async function checkPage(page: Page): Promise<void> {
  expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
  // The script that makes scrolling code focusable runs when the browser is idle.
  const unreachable =
    "[...document.querySelectorAll('pre')].filter((code) => code.scrollWidth > code.clientWidth && code.tabIndex < 0).length";
  await expect.poll(() => page.evaluate(unreachable)).toBe(0);
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
}
