import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserPath, openBrowser, withPage } from "../support/views/browser.ts";
import { type FakeConsole, startFakeConsole } from "../support/views/fake-console.ts";
import { createState } from "../support/views/procedures.ts";

describe.skipIf(!browserPath)(`tabs${browserPath ? "" : " (not run: there is no Chromium)"}`, () => {
  let server: FakeConsole;
  let browser: Browser;
  beforeAll(async () => {
    server = await startFakeConsole(createState("compliance", 90));
    browser = await openBrowser(browserPath ?? "");
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
  });

  it.each([
    ["/queue", "Needs attention"],
    ["/queue?tab=open", "Open"],
    ["/queue?order=newest&tab=all", "All"],
    ["/proposals", "Waiting for me"],
    ["/proposals?tab=decided", "Decided"],
    ["/audit?operation=records.submission&within=7d", "Evidence opened"],
    ["/webhooks/endpoints?platform=plt_demo_one", "Endpoints"],
  ])("%s has one present tab: %s", async (path, name) => {
    await withPage(browser, { viewport: { width: 1_440, height: 900 } }, async ({ page }) => {
      await page.goto(server.url + path);
      const present = page.getByRole("main").locator("nav [aria-current]");
      await expect.poll(() => present.allInnerTexts()).toEqual([expect.stringMatching(`^${name}`)]);
    });
  });
});
