import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from "vitest";
import { browserPath, openBrowser } from "../support/views/browser.ts";
import { checkView, widths } from "../support/views/check-view.ts";
import { decisionViews } from "../support/views/decision-views.ts";
import { type FakeConsole, startFakeConsole } from "../support/views/fake-console.ts";
import { createState } from "../support/views/procedures.ts";
import { resetState } from "../support/views/reset-state.ts";

describe.skipIf(!browserPath)(`decisions${browserPath ? "" : " (not run: there is no Chromium)"}`, () => {
  const state = createState("compliance", 90);
  let server: FakeConsole;
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser(browserPath ?? "");
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    resetState(state);
    server = await startFakeConsole(state);
  });
  afterEach(() => server.close());

  for (const [name, view] of Object.entries(decisionViews(state))) {
    it.each(widths)(`${name}: no violation at %d px`, async (width) => {
      view.before?.();
      await checkView(browser, server.url, view, width);
    });
  }
});
