import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium } from "playwright-core";

const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const path = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";
/** The installed browser, if any: `CHROMIUM_PATH`, or Debian's path. */
export const browserPath = path !== "" && existsSync(path) ? path : undefined;

/** Runs `use` in a browser with a fresh profile. */
export async function withBrowser(executablePath: string, use: (context: BrowserContext) => Promise<void>) {
  const profile = await mkdtemp(join(tmpdir(), "cardbridge-browser-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    timeout: 0,
    args: flags,
  });
  // The test's timeout ends a hanging page.
  context.setDefaultTimeout(0);
  try {
    await use(context);
  } finally {
    await context.close();
    await rm(profile, { recursive: true, force: true });
  }
}
