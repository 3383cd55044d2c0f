import { AxeBuilder } from "@axe-core/playwright";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserPath, openBrowser, withPage } from "../support/views/browser.ts";
import { type FakeConsole, startFakeConsole } from "../support/views/fake-console.ts";
import { createState } from "../support/views/procedures.ts";
import { personWith } from "../support/views/rows.ts";
import { createServiceState } from "../support/views/service.ts";
import { serviceViews } from "../support/views/service-views.ts";

const state = createState("compliance", 90);
const { rows } = state;

describe.skipIf(!browserPath)(`views${browserPath ? "" : " (not run: there is no Chromium)"}`, () => {
  let server: FakeConsole;
  let browser: Browser;
  beforeAll(async () => {
    server = await startFakeConsole(state);
    browser = await openBrowser(browserPath ?? "");
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
  });

  for (const [name, { path, shows, before, act }] of Object.entries(serviceViews(state))) {
    it.each([390, 1_440])(`${name}: no violation at %d px, in light and in dark`, async (width) => {
      Object.assign(state, { signedOut: false, delayMs: 0, rows, me: personWith("compliance") });
      Object.assign(state.service, createServiceState());
      state.failures.clear();
      before?.();
      await withPage(browser, { viewport: { width, height: 900 } }, async ({ page, faults }) => {
        await page.goto(server.url + path());
        await page.locator(shows).first().waitFor();
        await act?.(page);
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme });
          const { violations } = await new AxeBuilder({ page }).analyze();
          const found = violations.map(
            ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`,
          );
          expect([colorScheme, ...found]).toEqual([colorScheme]);
        }
        const sideways = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
        expect(sideways).toBe(false);
        expect(await page.locator("h1").count()).toBe(1);
        expect(faults).toEqual([]);
      });
    });
  }
});
