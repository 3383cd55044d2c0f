import type { Browser, Page } from "playwright-core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { browserPath, openBrowser, withPage } from "../support/views/browser.ts";
import { type FakeConsole, startFakeConsole } from "../support/views/fake-console.ts";
import { createState } from "../support/views/procedures.ts";
import { createHold } from "../support/views/user-acts.ts";

const options = { viewport: { width: 1_440, height: 900 } };

describe.skipIf(!browserPath)(`proposals${browserPath ? "" : " (not run: there is no Chromium)"}`, () => {
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

  const goTo = async (page: Page, kind: string) => {
    const found = server.state.proposals.find((one) => one.kind === kind);
    await page.goto(`${server.url}/proposals/${found?.proposalId}`);
    await page.getByRole("heading", { level: 1, name: /proposes/ }).waitFor();
  };
  const decided = () => server.state.writes.filter(({ name }) => name.startsWith("proposals."));

  it("lists those that wait, opens one and confirms it, by keyboard alone", async () => {
    await withPage(browser, options, async ({ page, faults }) => {
      await page.goto(`${server.url}/queue`);
      await page.getByRole("link", { name: "Proposals 3 wait for you" }).waitFor();
      await page.keyboard.press("g");
      await page.keyboard.press("p");
      const list = page.getByRole("table", { name: "Proposals" });
      await expect.poll(() => list.locator("tbody tr").count()).toBe(3);
      await list.getByRole("link", { name: "Approve a verification" }).focus();
      await page.keyboard.press("Enter");
      await page.getByText("Nothing has changed since.").waitFor();
      await page.getByRole("button", { name: "Confirm…" }).focus();
      await page.keyboard.press("Enter");
      const dialog = page.getByRole("dialog", { name: "Approve this verification?" });
      await dialog.getByText("becomes approved, and Demo").waitFor();
      await dialog.getByRole("button", { name: "Confirm" }).focus();
      await page.keyboard.press("Enter");
      await page.getByText("Confirmed. It is done.").waitFor();
      await page.getByText("Confirmed", { exact: true }).waitFor();
      await page.getByRole("link", { name: "Proposals 2 wait for you" }).waitFor();
      expect(decided().map(({ name }) => name)).toEqual(["proposals.confirm"]);
      expect(faults).toEqual([]);
    });
  });

  it("asks for the word before an erasure", async () => {
    await withPage(browser, options, async ({ page }) => {
      await goTo(page, "erase");
      await page.getByRole("button", { name: "Confirm…" }).click();
      const dialog = page.getByRole("dialog", { name: "Erase this user?" });
      await dialog.getByRole("button", { name: "Confirm" }).press("Enter");
      expect(decided()).toEqual([]);
      await dialog.getByLabel("Type ERASE to confirm").fill("ERASE");
      await dialog.getByRole("button", { name: "Confirm" }).click();
      await page.getByText("A worker erases the user within two minutes").waitFor();
      expect(decided()).toHaveLength(1);
    });
  });

  it.each([
    ["changed", "so the proposal is void. Nothing was changed.", "Void"],
    ["expired", "It expired before you confirmed it. Nothing was changed.", "Expired"],
    ["decided", "Somebody decided it a moment ago.", "Open"],
    ["same-person", "You proposed it, so you cannot confirm it.", "Open"],
    ["evidence-not-opened", "You have not opened the evidence as it is now.", "Open"],
  ] as const)("says what to do when a confirmation is refused: %s", async (conflict, text, state) => {
    server.state.conflict = conflict;
    await withPage(browser, options, async ({ page }) => {
      await goTo(page, "approve");
      await page.getByRole("button", { name: "Confirm…" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Confirm" }).click();
      await page.getByText(text).waitFor();
      await page.getByText(state, { exact: true }).waitFor();
      await page.getByRole("dialog").waitFor({ state: "detached" });
    });
  });

  it.each([
    [{ proposer: true, caller: true }, "You and Ben Lindqvist have opened the evidence.", true],
    [{ proposer: true, caller: false }, "Ben Lindqvist has opened the evidence, and you have not.", false],
    [{ proposer: false, caller: true }, "You have opened the evidence, and Ben Lindqvist has not.", false],
  ])("says who has opened the evidence: %j", async (evidenceOpened, text, isPossible) => {
    const approval = server.state.proposals.find(({ kind }) => kind === "approve");
    Object.assign(approval ?? {}, { evidenceOpened });
    await withPage(browser, options, async ({ page }) => {
      await goTo(page, "approve");
      await page.getByText(text).waitFor();
      expect(await page.getByRole("button", { name: "Confirm…" }).isEnabled()).toBe(isPossible);
    });
  });

  it("is withdrawn by who proposed it, who cannot confirm it", async () => {
    await withPage(browser, options, async ({ page }) => {
      await goTo(page, "liftHold");
      await page.getByText("You proposed it, so another person has to confirm it.").waitFor();
      expect(await page.getByRole("button", { name: "Confirm…" }).count()).toBe(0);
      await page.getByRole("button", { name: "Withdraw…" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Withdraw", exact: true }).click();
      await page.getByText("Withdrawn. Nothing was changed.").waitFor();
      expect(decided().map(({ name }) => name)).toEqual(["proposals.withdraw"]);
    });
  });

  it("says that the record has an answer meanwhile", async () => {
    await withPage(browser, options, async ({ page }) => {
      const row = server.state.rows.find(
        ({ kycRecordId }) => kycRecordId === server.state.proposals[0]?.kycRecordId,
      );
      Object.assign(row ?? {}, { resolution: "answered", status: "REJECTED", needsAttentionSince: null });
      await goTo(page, "approve");
      await page.getByText("It has changed since, so a confirmation is refused.").waitFor();
    });
  });

  it("says that a hold was placed meanwhile, and is then void", async () => {
    await withPage(browser, options, async ({ page }) => {
      await goTo(page, "erase");
      await page.getByText("Nothing has changed since.").waitFor();
      server.state.holds = [createHold()];
      await page.reload();
      await page.getByText("active · legal hold").waitFor();
      await page.getByText("It has changed since, so a confirmation is refused.").waitFor();
      expect(await page.getByText("Nothing has changed since.").count()).toBe(0);
      expect(await page.getByRole("button", { name: "Confirm…" }).count()).toBe(0);
    });
  });

  it("is a notice on its record and on its user, with the way to it", async () => {
    await withPage(browser, options, async ({ page }) => {
      const [approval] = server.state.proposals;
      await page.goto(`${server.url}/records/${approval?.kycRecordId}`);
      await page.getByText("Ben Lindqvist proposed to approve kyc_").waitFor();
      await page.getByText("It waits for you.").waitFor();
      await page.goto(`${server.url}/users/${approval?.platformId}/${approval?.externalUserId}`);
      await page.getByRole("link", { name: "Open the proposal" }).click();
      await page.waitForURL(`${server.url}/proposals/${approval?.proposalId}`);
    });
  });
});
