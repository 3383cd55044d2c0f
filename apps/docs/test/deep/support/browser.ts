import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const path = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";
/** The installed browser, if any: `CHROMIUM_PATH`, or Debian's path. */
export const browserPath = path !== "" && existsSync(path) ? path : undefined;

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    ...(browserPath && { executablePath: browserPath }),
    headless: true,
    timeout: 0,
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"],
  });
