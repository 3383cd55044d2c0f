import type { Browser, Page } from "playwright-core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { browserPath, openBrowser, withPage } from "../support/views/browser.ts";
import { type FakeConsole, startFakeConsole } from "../support/views/fake-console.ts";
import { createState, Refusal } from "../support/views/procedures.ts";

const options = { viewport: { width: 1_440, height: 900 } };

describe.skipIf(!browserPath)(`a record${browserPath ? "" : " (not run: there is no Chromium)"}`, () => {
  let server: FakeConsole;
  let browser: Browser;
  beforeEach(async () => {
    server = await startFakeConsole(createState("compliance", 90));
    browser = await openBrowser(browserPath ?? "");
  });
  afterEach(async () => {
    await browser.close();
    await server.close();
  });

  const rowWith = (meets: (row: (typeof server.state.rows)[number]) => boolean) => {
    const found = server.state.rows.find(meets);
    if (!found) throw new Error("There is no such record.");
    return found;
  };
  const head = (page: Page) => page.locator("header").filter({ has: page.locator("h1") });

  it("changes its status, its sentence and the words for the person together", async () => {
    const row = rowWith(({ status }) => status === "PENDING_APPROVAL");
    await withPage(browser, options, async ({ page, faults }) => {
      await page.goto(`${server.url}/records/${row.kycRecordId}`);
      await head(page).getByText("In review").waitFor();
      await page.getByText("Live", { exact: true }).waitFor();
      Object.assign(row, { status: "APPROVED", subStatus: "approved" });
      server.change(row.kycRecordId);
      await page.getByRole("button", { name: "It changed: Show" }).waitFor();
      await head(page).getByText("In review").waitFor();
      await head(page).getByRole("heading", { name: "The provider reviews it" }).waitFor();
      await head(page).getByText("Show the new state before you repeat this.").waitFor();
      expect(await head(page).getByRole("button", { name: "Copy", exact: true }).isDisabled()).toBe(true);

      await page.getByRole("button", { name: "It changed: Show" }).click();
      await head(page).getByText("Approved", { exact: true }).waitFor();
      await head(page).getByRole("heading", { name: "The provider approved it" }).waitFor();
      await head(page).getByText("Your documents were accepted.").waitFor();
      expect(await head(page).getByRole("button", { name: "Copy", exact: true }).isEnabled()).toBe(true);
      expect(faults).toEqual([]);
    });
  });

  it("names who proposed and who confirmed a manual approval, and leads to what they did", async () => {
    const row = rowWith(({ status }) => status === "APPROVED");
    row.manual = true;
    await withPage(browser, options, async ({ page }) => {
      await page.goto(`${server.url}/records/${row.kycRecordId}`);
      await head(page)
        .getByText("Ben Lindqvist proposed, Clarissa Montgomery-Featherstonehaugh confirmed")
        .waitFor();
      expect(await page.getByText("provider approved it").count()).toBe(0);
      const entry = page.getByRole("listitem").filter({ hasText: "Ben Lindqvist proposed" });
      await entry.getByRole("link", { name: "Ben Lindqvist" }).click();
      await page.waitForURL(/\/audit\?person=per_01m8ben/);
    });
  });

  it("says that nothing was sent during a pause", async () => {
    const row = rowWith(({ needsAttentionSince }) => needsAttentionSince !== null);
    const paused = new Refusal(503, "PROVIDER_PAUSED", "The operator paused calls to the card provider.");
    server.state.failures.set("records.refresh", paused);
    await withPage(browser, options, async ({ page }) => {
      await page.goto(`${server.url}/records/${row.kycRecordId}`);
      await page.getByRole("button", { name: "Refresh" }).click();
      await page.getByText("The operator paused calls to the card provider. Nothing was sent.").waitFor();
      expect(await page.getByText("not certain").count()).toBe(0);
    });
  });

  it("has the same state on its user's page", async () => {
    const [first] = server.state.rows;
    const row = rowWith(
      ({ needsAttentionSince, resolution }) => resolution === "unresolved" && needsAttentionSince !== null,
    );
    server.state.rows = [row, ...server.state.rows.filter((one) => one !== row)];
    await withPage(browser, options, async ({ page }) => {
      await page.goto(`${server.url}/users/${first?.platformId}/${first?.externalUserId}`);
      const item = page.getByRole("listitem").filter({ has: page.getByTitle(row.kycRecordId) });
      await item.getByText("Needs attention").waitFor();
    });
  });
});
