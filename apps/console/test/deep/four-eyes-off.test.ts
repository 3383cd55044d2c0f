import type { Browser, Page } from "playwright-core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { browserPath, openBrowser, withPage } from "../support/views/browser.ts";
import { type FakeConsole, startFakeConsole } from "../support/views/fake-console.ts";
import { createState } from "../support/views/procedures.ts";
import { createHold } from "../support/views/user-acts.ts";

const options = { viewport: { width: 1_440, height: 900 } };
const needsAnother = /[Aa]nother person|[Pp]ropose|two people/;

/* With four eyes, the same acts are tested in decisions.test.ts and user-acts.test.ts. */
describe.skipIf(!browserPath)(`four eyes off${browserPath ? "" : " (not run: there is no Chromium)"}`, () => {
  let server: FakeConsole;
  let browser: Browser;
  beforeEach(async () => {
    server = await startFakeConsole(Object.assign(createState("compliance", 90), { proposals: [] }));
    server.state.service.fourEyes = false;
    browser = await openBrowser(browserPath ?? "");
  });
  afterEach(async () => {
    await browser.close();
    await server.close();
  });

  const goToUser = async (page: Page) => {
    const { platformId, externalUserId } = server.state.rows[0] ?? {};
    await page.goto(`${server.url}/users/${platformId}/${externalUserId}`);
    await page.getByRole("heading", { name: "Acts", exact: true }).waitFor();
  };
  const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
  const written = (wanted: string) => server.state.writes.filter(({ name }) => name === wanted);
  /** Types the word of the open dialog, which says that the act happens at once. */
  const confirm = async (page: Page, word: string, act: string) => {
    const dialog = page.getByRole("dialog");
    expect(await dialog.textContent()).not.toMatch(needsAnother);
    await dialog.getByRole("button", { name: act, exact: true }).press("Enter");
    expect(server.state.writes.filter(({ name }) => name !== "records.submission")).toEqual([]);
    await dialog.getByLabel(`Type ${word} to confirm`).fill(word);
    await page.keyboard.press("Enter");
  };

  it("approves a verification at once, after the word", async () => {
    await withPage(browser, options, async ({ page, faults }) => {
      const row = server.state.rows.find(({ lastAttempt }) => lastAttempt?.reason === "wrong-shape");
      await page.goto(`${server.url}/records/${row?.kycRecordId}`);
      await page.getByLabel("For a review").check();
      await press(page, "Open evidence");
      await page.getByText("audit 4711").waitFor();
      await press(page, "Enter the decision");
      await page.getByRole("radio", { name: /^Approved/ }).check();
      await page.getByLabel("Note", { exact: false }).first().fill("They told us on the telephone.");
      await page.getByText("it is approved at once, without another person.").waitFor();
      await press(page, "Approve…");
      await page.getByRole("dialog").getByText("becomes approved, and Demo").waitFor();
      await confirm(page, "APPROVE", "Approve");
      await page.getByText("Stored: Needs attention → Approved").waitFor();
      expect(written("records.resolve")).toHaveLength(1);
      expect(faults).toEqual([]);
    });
  });

  it("changes identifiers at once", async () => {
    await withPage(browser, options, async ({ page }) => {
      await goToUser(page);
      await press(page, "Change…");
      await page.getByText("gets the new identifiers at once.").waitFor();
      expect(await page.getByRole("dialog").textContent()).not.toMatch(needsAnother);
      await page.getByLabel("New e-mail").fill("new@example.com");
      await press(page, "Change the identifiers");
      await page.getByText("The identifiers are changed.").waitFor();
    });
  });

  it("erases at once, after the word", async () => {
    await withPage(browser, options, async ({ page }) => {
      await goToUser(page);
      await press(page, "Erase…");
      await confirm(page, "ERASE", "Erase the user");
      await page.getByText("The erasure is requested.").waitFor();
      expect(written("users.erase")).toHaveLength(1);
    });
  });

  it("lifts a hold at once, after the word", async () => {
    server.state.holds = [createHold()];
    await withPage(browser, options, async ({ page }) => {
      await goToUser(page);
      await press(page, "Place…");
      expect(await page.getByRole("dialog").textContent()).not.toMatch(needsAnother);
      await press(page, "Cancel");
      await press(page, "Lift…");
      await page.getByText("ends for ever. What it protected may be erased").waitFor();
      await confirm(page, "LIFT", "Lift the hold");
      await page.getByText("The hold is lifted.").waitFor();
      expect(written("holds.lift")).toHaveLength(1);
    });
  });

  it("says on the proposals' page that nothing new comes there", async () => {
    await withPage(browser, options, async ({ page }) => {
      await page.goto(`${server.url}/proposals`);
      await page.getByText("acts happen at once, without a proposal.").waitFor();
      await page.getByText("nothing new comes here.").waitFor();
    });
  });
});
