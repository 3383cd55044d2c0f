import { readFile } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { browserPath, openBrowser, withPage } from "../support/views/browser.ts";
import { type FakeConsole, startFakeConsole } from "../support/views/fake-console.ts";
import { createState } from "../support/views/procedures.ts";
import { personWith } from "../support/views/rows.ts";
import { providerPause } from "../support/views/service.ts";

const options = { viewport: { width: 1_440, height: 900 } };
const dialog = (page: Page) => page.getByRole("dialog");
/** Waits until the button is enabled: a key on a disabled one does nothing. */
const press = (page: Page, name: string) =>
  page.getByRole("button", { name, exact: true, disabled: false }).first().press("Enter");

describe.skipIf(!browserPath)(`acts${browserPath ? "" : " (not run: there is no Chromium)"}`, () => {
  let server: FakeConsole;
  let browser: Browser;
  beforeEach(async () => {
    server = await startFakeConsole(createState("operator", 90));
    browser = await openBrowser(browserPath ?? "");
  });
  afterEach(async () => {
    await browser.close();
    await server.close();
  });
  const writes = () => server.state.writes.map(({ name }) => name);
  const as = (role: Parameters<typeof personWith>[0]) => {
    server.state.me = personWith(role);
  };

  it("pauses the provider only after the typed word, says so on every view, and resumes", async () => {
    await withPage(browser, options, async ({ page, faults }) => {
      await page.goto(`${server.url}/system`);
      await press(page, "Pause provider…");
      await dialog(page).getByLabel("Why").fill("Maintenance");
      await page.keyboard.press("Enter");
      await dialog(page).getByLabel("Type PAUSE to confirm").fill("pause");
      await page.keyboard.press("Enter");
      expect(writes()).toEqual([]);
      await dialog(page).getByLabel("Type PAUSE to confirm").fill("PAUSE");
      await page.keyboard.press("Enter");
      await page.getByText("Calls to the provider are paused").waitFor();
      expect(writes()).toEqual(["pauses.pauseProvider"]);
      expect(server.state.writes[0]?.input).toMatchObject({ reason: "Maintenance" });

      await page.keyboard.press("g");
      await page.keyboard.press("q");
      const banner = page.getByRole("region", { name: "Paused now" });
      await banner.getByText("Why: Maintenance · by Ben Lindqvist").waitFor();
      await banner.getByRole("link").press("Enter");
      await press(page, "Resume…");
      await press(page, "Resume");
      await banner.waitFor({ state: "detached" });
      expect(server.state.writes[1]).toMatchObject({ name: "pauses.resume" });
      expect(faults).toEqual([]);
    });
  });

  it("blocks a person at once, and ends the block only after a recent sign-in", async () => {
    as("administrator");
    server.state.me.signInRequiredAt = null;
    await withPage(browser, options, async ({ page }) => {
      await page.goto(`${server.url}/platforms/persons`);
      await press(page, "Block…");
      await dialog(page).getByLabel("Type BLOCK to confirm").fill("BLOCK");
      await page.keyboard.press("Enter");
      await expect.poll(writes).toEqual(["persons.block"]);
      // The keys that the person made are listed next.
      await dialog(page).getByText("mobile application gateway").waitFor();
      await press(page, "Cancel");
      await dialog(page).waitFor({ state: "detached" });
      await press(page, "End the block");
      await dialog(page).getByRole("link", { name: "Sign in again" }).waitFor();
      expect(await dialog(page).getByRole("button", { name: "End the block" }).isDisabled()).toBe(true);
    });
  });

  it("shows a new key once, and keeps it nowhere", async () => {
    as("administrator");
    await withPage(browser, options, async ({ page, addresses }) => {
      await page.goto(`${server.url}/platforms/keys`);
      await press(page, "New key");
      await dialog(page).getByLabel("Name").fill("reports");
      await dialog(page).getByLabel("Read cards").press("Space");
      await dialog(page).getByLabel("Name").press("Enter");
      await dialog(page).getByText("cb_live_FakeKey").waitFor();
      await page.keyboard.press("Escape");
      await dialog(page).getByText("cb_live_FakeKey").waitFor();
      await dialog(page).getByLabel("I have stored it").press("Space");
      await press(page, "Close");
      await dialog(page).waitFor({ state: "detached" });
      expect(await page.content()).not.toContain("cb_live_FakeKey");
      const kept = await page.evaluate(
        "JSON.stringify([location.href, history.state, {...localStorage}, {...sessionStorage}])",
      );
      expect([kept, ...addresses].join()).not.toContain("cb_live_FakeKey");
      expect(server.state.writes[0]?.input).toMatchObject({ name: "reports", scopes: ["cards:read"] });
    });
  });

  it("makes a key for the platform that it shows, also for one that the page does not know yet", async () => {
    as("administrator");
    const fresh = { platformId: "plt_01m8demo0000000000000000new", name: "Demo New" };
    await withPage(browser, options, async ({ page }) => {
      await page.goto(`${server.url}/platforms/keys?platform=${fresh.platformId}`);
      await press(page, "New key");
      const chosen = () =>
        dialog(page)
          .getByLabel("Platform")
          .evaluate((select: { selectedOptions: { text: string }[] }) => select.selectedOptions[0]?.text);
      expect(await chosen()).toBe("Choose…");
      await dialog(page).getByLabel("Name").fill("reports");
      await dialog(page).getByLabel("Read cards").press("Space");
      await dialog(page).getByLabel("Name").press("Enter");
      expect(writes()).toEqual([]);
      await dialog(page).getByLabel("Platform").selectOption("Demo Two");
      await dialog(page).getByText("The key is for Demo Two.").waitFor();
      await dialog(page).getByLabel("Name").press("Enter");
      await dialog(page).getByText("cb_live_FakeKey").waitFor();
      const two = server.state.me.platforms.find(({ name }) => name === "Demo Two");
      expect(server.state.writes[0]?.input).toMatchObject({ platformId: two?.platformId });
    });
  });

  it("offers a new platform at once", async () => {
    as("administrator");
    await withPage(browser, options, async ({ page }) => {
      await page.goto(`${server.url}/platforms`);
      await press(page, "New platform");
      await dialog(page).getByLabel("Name").fill("Demo New");
      await press(page, "New platform");
      const row = page.locator("tr").filter({ hasText: "Demo New" });
      await row.getByRole("link", { name: "Keys" }).click();
      await press(page, "New key");
      await dialog(page).getByText("The key is for Demo New.").waitFor();
    });
  });

  it("revokes a key only after its name is typed", async () => {
    as("administrator");
    await withPage(browser, options, async ({ page }) => {
      await page.goto(`${server.url}/platforms/keys`);
      await press(page, "Revoke…");
      const word = dialog(page).getByLabel("Type backend to confirm");
      await word.fill("back");
      await word.press("Enter");
      expect(writes()).toEqual([]);
      await word.fill("backend");
      await word.press("Enter");
      await dialog(page).waitFor({ state: "detached" });
      expect(writes()).toEqual(["keys.revoke"]);
    });
  });

  it("counts before it redelivers, repeats while more are left, and says how many", async () => {
    await withPage(browser, options, async ({ page }) => {
      await page.goto(`${server.url}/webhooks`);
      await press(page, "Redeliver failed…");
      await dialog(page).getByText("14 failed deliveries match.").waitFor();
      expect(server.state.writes.map(({ input }) => input.preview)).toEqual([true]);
      await press(page, "Redeliver");
      await dialog(page).getByText("14 deliveries are sent again.").waitFor();
      expect(server.state.writes.map(({ input }) => input.preview)).toEqual([true, false, false, false]);
    });
  });

  it("offers the bulk requeue where something needs attention, to those who may act", async () => {
    await withPage(browser, options, async ({ page }) => {
      await page.goto(`${server.url}/queue`);
      await press(page, "Requeue all…");
      await dialog(page)
        .getByText(/^\d+ records need attention\.$/)
        .waitFor();
      await press(page, "Requeue");
      await dialog(page)
        .getByText(/records are tried again/)
        .waitFor();
      await press(page, "Close");
      await page.getByText("Nothing needs attention").waitFor();
      await page.getByRole("button", { name: "Requeue all…" }).waitFor({ state: "detached" });
    });
  });

  it("exports all found entries as one file", async () => {
    as("compliance");
    await withPage(browser, options, async ({ page }) => {
      await page.goto(`${server.url}/audit?operation=kyc.submit`);
      await press(page, "Export as CSV");
      const [download] = await Promise.all([page.waitForEvent("download"), press(page, "Export")]);
      const csv = await readFile(await download.path(), "utf8");
      const lines = csv.trimEnd().split("\r\n");
      expect(lines).toHaveLength(21);
      expect(lines[1]).toMatch(/^"[^"]+","","","(key_|claim:)\w+=?\w*","kyc\.submit","kyc_/);
    });
  });

  it("updates the counts of the home page when records change", async () => {
    await withPage(browser, options, async ({ page }) => {
      await page.goto(server.url);
      const open = page.getByRole("link", { name: /^Open/ });
      await open.getByText("40", { exact: true }).waitFor();
      await page.getByText("Live", { exact: true }).waitFor();
      const changed = server.state.rows[0];
      if (changed)
        Object.assign(changed, { resolution: "answered", status: "APPROVED", needsAttentionSince: null });
      server.change(changed?.kycRecordId ?? "");
      await open.getByText("39", { exact: true }).waitFor();
    });
  });

  it.each([
    ["viewer", ["Home", "Queue", "System"]],
    ["support", ["Home", "Queue", "Users", "System"]],
    ["compliance", ["Home", "Queue", "Users", "Proposals", "Audit", "System"]],
    ["operator", ["Home", "Queue", "Users", "Webhooks", "Platforms", "System"]],
    ["administrator", ["Home", "Queue", "Users", "Webhooks", "Platforms", "Audit", "System"]],
  ] as const)(
    "shows a %s the sections of the role, and nothing to pause or to resume without the scope",
    async (role, sections) => {
      as(role);
      server.state.service.pauses = [providerPause()];
      await withPage(browser, options, async ({ page }) => {
        await page.goto(`${server.url}/system`);
        await page.getByText("nationality", { exact: true }).waitFor();
        const links = page.getByRole("navigation", { name: "Main" }).getByRole("link");
        const names = async () => (await links.allInnerTexts()).map((text) => text.split("\n")[0]);
        await expect.poll(names).toEqual(sections);
        const acts = page.getByRole("button", { name: /^(Pause|Resume)/ });
        await expect.poll(() => acts.count()).toBe(role === "operator" ? 3 : 0);
      });
    },
  );
});
