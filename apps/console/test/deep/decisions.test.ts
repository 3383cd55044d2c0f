import type { Browser, Page } from "playwright-core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { browserPath, openBrowser, withPage } from "../support/views/browser.ts";
import { type FakeConsole, startFakeConsole } from "../support/views/fake-console.ts";
import { createState, Refusal } from "../support/views/procedures.ts";

const options = { viewport: { width: 1_440, height: 900 } };

describe.skipIf(!browserPath)(`decisions${browserPath ? "" : " (not run: there is no Chromium)"}`, () => {
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

  const undecided = () =>
    server.state.rows.find(({ lastAttempt }) => lastAttempt?.reason === "wrong-shape")?.kycRecordId ?? "none";
  const openEvidence = async (page: Page) => {
    await page.getByRole("radio", { name: /^For a review/ }).check();
    await page.getByRole("button", { name: "Open evidence" }).click();
    await page.getByText("Opened for review").waitFor();
  };
  const enter = async (page: Page, outcome: string) => {
    await page.getByRole("button", { name: "Enter the decision" }).click();
    await page.getByRole("radio", { name: new RegExp(`^${outcome}`) }).check();
  };
  const resolved = () => server.state.writes.filter(({ name }) => name === "records.resolve");

  it("proposes an approval about the evidence that was opened, and leads to the proposal", async () => {
    await withPage(browser, options, async ({ page, faults }) => {
      await page.goto(`${server.url}/records/${undecided()}`);
      await openEvidence(page);
      await enter(page, "Approved");
      await page.getByText("It is bound to the evidence that you opened (audit 4711).").waitFor();
      await page.getByText("Another person confirms it within 24 hours.").waitFor();
      await page.getByLabel("Card account").fill("acct_7f3a");
      await page.getByLabel("Note", { exact: false }).first().fill("They told us on the telephone.");
      await page.getByRole("button", { name: "Propose the approval" }).click();
      await page.getByText("The approval is proposed.").waitFor();
      expect(resolved()).toMatchObject([
        {
          input: {
            decision: { outcome: "answered", subStatus: "approved", cardAccountId: "acct_7f3a" },
            version: "v7",
            evidenceHash: "a".repeat(64),
            note: "They told us on the telephone.",
          },
        },
      ]);
      await page.getByRole("link", { name: "Open the proposal" }).first().click();
      await page.getByRole("heading", { level: 1, name: /proposes to approve a verification/ }).waitFor();
      await page.getByText("You proposed it, so another person has to confirm it.").waitFor();
      expect(faults).toEqual([]);
    });
  });

  it("says that the evidence was not opened, and is then about the record as it is shown", async () => {
    await withPage(browser, options, async ({ page }) => {
      await page.goto(`${server.url}/records/${undecided()}`);
      await enter(page, "In review");
      await page.getByText("You have not opened the evidence.").waitFor();
      await page.getByRole("button", { name: "Store the decision" }).click();
      await page.getByText("Stored: Needs attention → In review").waitFor();
      const [{ input } = { input: {} }] = resolved();
      expect(input).toMatchObject({ version: expect.stringMatching(/^v\d+$/) });
      expect(input).not.toHaveProperty("evidenceHash");
      expect(input).not.toHaveProperty("note");
    });
  });

  it("rejects only with a reason and the word", async () => {
    await withPage(browser, options, async ({ page }) => {
      await page.goto(`${server.url}/records/${undecided()}`);
      await enter(page, "Rejected");
      await page.getByRole("button", { name: "Reject…" }).click();
      await page.getByText("Choose at least one reason.").waitFor();
      await page.getByLabel("Document not readable").check();
      await page.getByLabel("Name differs").check();
      await page.getByLabel("Final: another submission").check();
      await page.getByRole("button", { name: "Reject…" }).click();
      const dialog = page.getByRole("dialog", { name: "Reject this verification?" });
      await dialog.getByText("is told at once with the reasons").waitFor();
      await dialog.getByLabel("Type REJECT to confirm").fill("reject");
      await page.keyboard.press("Enter");
      expect(resolved()).toEqual([]);
      await dialog.getByLabel("Type REJECT to confirm").fill("REJECT");
      await page.keyboard.press("Enter");
      await page.getByText("Stored: Needs attention → Rejected").waitFor();
      expect(resolved()).toMatchObject([
        {
          input: {
            decision: {
              subStatus: "rejected",
              explanation: {
                reasons: [
                  { code: "DOCUMENT_UNREADABLE", field: null },
                  { code: "NAME_MISMATCH", field: null },
                ],
                final: true,
              },
            },
          },
        },
      ]);
    });
  });

  it("approves only with the evidence open and a note", async () => {
    await withPage(browser, options, async ({ page }) => {
      await page.goto(`${server.url}/records/${undecided()}`);
      await enter(page, "Approved");
      await page.getByText("An approval needs that you look at it first.").waitFor();
      const propose = page.getByRole("button", { name: "Propose the approval" });
      expect(await propose.isEnabled()).toBe(false);
      await openEvidence(page);
      await propose.click();
      await page.getByText("Say why: an approval needs a note.").waitFor();
      expect(resolved()).toEqual([]);
    });
  });

  it("shows the new state after a conflict, with what was entered still there", async () => {
    await withPage(browser, options, async ({ page }) => {
      await page.goto(`${server.url}/records/${undecided()}`);
      await openEvidence(page);
      await enter(page, "Approved");
      await page.getByLabel("Card account").fill("acct_7f3a");
      await page.getByLabel("Note", { exact: false }).first().fill("They told us on the telephone.");
      const changed = new Refusal(409, "KYC_RECORD_CONFLICT", "The record has changed. Read it again.");
      server.state.failures.set("records.resolve", changed);
      await page.getByRole("button", { name: "Propose the approval" }).click();
      await page.getByText("The record has changed. Read it again.").waitFor();
      server.state.failures.clear();
      await page.getByRole("button", { name: "Show the new state" }).click();
      expect(await page.getByLabel("Card account").inputValue()).toBe("acct_7f3a");
      await page.getByRole("button", { name: "Propose the approval" }).click();
      await page.getByText("The approval is proposed.").waitFor();
    });
  });

  it("leads to a new sign-in, before the form or when the service asks for one, and back", async () => {
    await withPage(browser, options, async ({ page }) => {
      const path = `/records/${undecided()}`;
      const again = `/auth/sign-in?fresh=1&return=${encodeURIComponent(path)}`;
      const href = () => page.getByRole("link", { name: "Sign in again" }).getAttribute("href");
      server.state.me.signInRequiredAt = null;
      await page.goto(server.url + path);
      await page.getByRole("button", { name: "Enter the decision" }).click();
      expect(await href()).toBe(again);
      expect(await page.getByRole("radio", { name: /^Approved/ }).count()).toBe(0);

      server.state.me.signInRequiredAt = new Date(Date.now() + 60_000).toISOString();
      await page.reload();
      server.state.failures.set("records.resolve", new Refusal(401, "SIGN_IN_TOO_OLD", "Sign in again."));
      await openEvidence(page);
      await enter(page, "Approved");
      await page.getByLabel("Note", { exact: false }).first().fill("They told us on the telephone.");
      await page.getByRole("button", { name: "Propose the approval" }).click();
      await page.getByText("This step needs a sign-in of the last 15 minutes.").waitFor();
      expect(await href()).toBe(again);
    });
  });

  it("is compliance's: support reads that, and sees neither evidence nor proposals", async () => {
    Object.assign(server.state, createState("support", 90));
    await withPage(browser, options, async ({ page, addresses }) => {
      await page.goto(`${server.url}/records/${undecided()}`);
      await page.getByText("Compliance enters the decision.").waitFor();
      await page.getByText("Only compliance opens what the person submitted.").waitFor();
      for (const name of ["Enter the decision", "Open evidence", "Show restricted reasons"]) {
        expect(await page.getByRole("button", { name }).count()).toBe(0);
      }
      expect(await page.getByRole("link", { name: "Proposals" }).count()).toBe(0);
      expect(addresses.filter((address) => address.includes("proposals."))).toEqual([]);
    });
  });
});
