import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, it } from "vitest";
import { browserPath, openBrowser } from "../support/views/browser.ts";
import { checkView, type View, widths } from "../support/views/check-view.ts";
import { type FakeConsole, startFakeConsole } from "../support/views/fake-console.ts";
import { createState, Refusal } from "../support/views/procedures.ts";

const state = createState("compliance", 90);
const idOf = (meets: (row: (typeof state.rows)[number]) => boolean) =>
  state.rows.find(meets)?.kycRecordId ?? "none";
const user = `/users/${state.rows[0]?.platformId}/${state.rows[0]?.externalUserId}`;
const refusal = (status: number, code: string) => new Refusal(status, code, "It is not possible now.");

const views: Record<string, View> = {
  queue: { path: () => "/queue", shows: "tr[data-record]" },
  "queue with a filter open": {
    path: () => "/queue?tab=open",
    shows: "tr[data-record]",
    act: async (page) => {
      const folded = page.getByRole("button", { name: "Filters" });
      if (await folded.isVisible()) await folded.click();
      await page.getByRole("combobox", { name: /^Reason/ }).click();
      await page.getByRole("option", { name: "name differs" }).waitFor();
    },
  },
  "queue without records": { path: () => "/queue?platform=plt_none", shows: "text=No record matches" },
  "queue with an error": {
    path: () => "/queue",
    shows: "[role=alert]",
    before: () => state.failures.set("records.search", refusal(500, "INTERNAL_ERROR")),
  },
  keys: { path: () => "/queue", shows: "tr[data-record]", act: (page) => page.keyboard.press("?") },
  "record that needs attention": {
    path: () => `/records/${idOf(({ needsAttentionSince }) => needsAttentionSince !== null)}`,
    shows: "ol >> text=Submitted by the platform",
  },
  "record that is rejected": {
    path: () => `/records/${idOf(({ status }) => status === "REJECTED")}`,
    shows: "ol >> text=Submitted by the platform",
  },
  "record that does not exist": { path: () => "/records/kyc_none", shows: "text=No such record" },
  users: { path: () => "/users", shows: "text=Type what you have" },
  "users found": {
    path: () => "/users",
    shows: "#find",
    act: async (page) => {
      await page.fill("#find", "alice@example.com");
      await page.keyboard.press("Enter");
      await page.getByText("Found on 3 platforms").waitFor();
    },
  },
  user: { path: () => user, shows: "text=4242" },
  "user without the provider": {
    path: () => user,
    shows: "text=The provider cannot be reached",
    before: () => state.failures.set("users.cards", refusal(503, "PROVIDER_UNAVAILABLE")),
  },
  "user who is refused": {
    path: () => user,
    shows: "text=You may not see this",
    before: () => state.failures.set("users.show", refusal(403, "SCOPE_MISSING")),
  },
  request: { path: () => "/requests/req_1", shows: "text=kyc.submit" },
  "sign-in": {
    path: () => "/queue",
    shows: "text=Sign in",
    before: () => {
      state.signedOut = true;
    },
  },
};

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

  for (const [name, view] of Object.entries(views)) {
    it.each(widths)(`${name}: no violation at %d px`, async (width) => {
      state.failures.clear();
      state.signedOut = false;
      view.before?.();
      await checkView(browser, server.url, view, width);
    });
  }
});
