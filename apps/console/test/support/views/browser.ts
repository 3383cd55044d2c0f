import { existsSync } from "node:fs";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";

const path = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";
/** The installed browser, if any: `CHROMIUM_PATH`, or Debian's path. */
export const browserPath = path !== "" && existsSync(path) ? path : undefined;

export const openBrowser = (executablePath: string): Promise<Browser> =>
  chromium.launch({ executablePath, timeout: 0, args: ["--no-sandbox", "--disable-gpu", "--no-first-run"] });

/** What a page did that it must not: errors of scripts, and violations of the Content-Security-Policy. */
export interface WatchedPage {
  page: Page;
  faults: string[];
  /** The addresses of all requests. */
  addresses: string[];
}

/** Runs `use` in a fresh profile, and collects the faults of its page. */
export async function withPage(
  browser: Browser,
  options: BrowserContextOptions,
  use: (watched: WatchedPage) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  // The test's timeout ends a hanging page.
  page.setDefaultTimeout(0);
  const faults: string[] = [];
  const addresses: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => {
    // A refused or failed call is part of what some tests show.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) {
      faults.push(message.text());
    }
  });
  page.on("request", (request) => addresses.push(request.url()));
  try {
    await use({ page, faults, addresses });
  } finally {
    await context.close();
  }
}
