import { rm } from "node:fs/promises";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { browserPath, openBrowser, withPage } from "../support/views/browser.ts";
import type { View } from "../support/views/check-view.ts";
import { decisionViews, typedNote } from "../support/views/decision-views.ts";
import { type FakeConsole, startFakeConsole } from "../support/views/fake-console.ts";
import { foreignWords } from "../support/views/foreign-words.ts";
import { createState } from "../support/views/procedures.ts";
import { buildPseudoLocale } from "../support/views/pseudo-build.ts";
import { resetState } from "../support/views/reset-state.ts";
import { serviceViews } from "../support/views/service-views.ts";

const state = createState("compliance", 90);
const { rows } = state;
const first = rows[0];
const idOf = (meets: (row: (typeof rows)[number]) => boolean) => rows.find(meets)?.kycRecordId ?? "none";

const views: Record<string, View> = {
  queue: { path: () => "/queue", shows: "tr[data-record]" },
  "open records": { path: () => "/queue?tab=open&order=newest", shows: "tr[data-record]" },
  "queue without records": { path: () => "/queue?platform=plt_none", shows: "text=No record matches" },
  "queue with its keys": {
    path: () => "/queue",
    shows: "tr[data-record]",
    act: (page) => page.keyboard.press("?"),
  },
  "menu of the person": {
    path: () => "/queue",
    shows: "tr[data-record]",
    act: (page) => page.getByRole("button", { name: "account and appearance" }).click(),
  },
  "record that needs attention": {
    path: () => `/records/${idOf(({ needsAttentionSince }) => needsAttentionSince !== null)}`,
    shows: "ol >> text=Submitted by the platform",
  },
  "record that is rejected": {
    path: () => `/records/${idOf(({ status }) => status === "REJECTED")}`,
    shows: "ol >> text=Submitted by the platform",
  },
  users: { path: () => "/users", shows: "text=Type what you have" },
  user: { path: () => `/users/${first?.platformId}/${first?.externalUserId}`, shows: "text=4242" },
  request: { path: () => "/requests/req_1", shows: "text=kyc.submit" },
  "address that leads nowhere": { path: () => "/nowhere", shows: "text=There is nothing here" },
  "sign-in": {
    path: () => "/queue",
    shows: "text=Sign in",
    before: () => {
      state.signedOut = true;
    },
  },
  ...serviceViews(state),
  ...decisionViews(state),
};

/* The words are marked in a build of their own. What a view says without a mark is either data or not in words.ts. */
describe.skipIf(!browserPath)(`words${browserPath ? "" : " (not run: there is no Chromium)"}`, () => {
  let folder: string;
  let server: FakeConsole;
  let browser: Browser;
  beforeAll(async () => {
    folder = await buildPseudoLocale();
    server = await startFakeConsole(state, 0, folder);
    browser = await openBrowser(browserPath ?? "");
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(Object.entries(views))("%s: every word is in words.ts", async (_name, view) => {
    resetState(state);
    view.before?.();
    await withPage(browser, { viewport: { width: 1_440, height: 900 } }, async ({ page }) => {
      await page.goto(server.url + view.path());
      await page.locator(view.shows).first().waitFor();
      await view.act?.(page);
      expect(await foreignWords(page, () => [...server.answered, errorsOf(state), typedNote])).toEqual([]);
      expect(await page.getByText("⟦").count()).toBeGreaterThan(0);
    });
  });
});

/** What the service says about an error, and the address of the console. */
const errorsOf = ({ failures }: typeof state) => [...failures.values()].map((failure) => failure.shape(""));
