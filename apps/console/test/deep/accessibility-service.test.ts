import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, it } from "vitest";
import { browserPath, openBrowser } from "../support/views/browser.ts";
import { checkView, widths } from "../support/views/check-view.ts";
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

  for (const [name, view] of Object.entries(serviceViews(state))) {
    it.each(widths)(`${name}: no violation at %d px`, async (width) => {
      Object.assign(state, { signedOut: false, delayMs: 0, rows, me: personWith("compliance") });
      Object.assign(state.service, createServiceState());
      state.failures.clear();
      view.before?.();
      await checkView(browser, server.url, view, width);
    });
  }
});
