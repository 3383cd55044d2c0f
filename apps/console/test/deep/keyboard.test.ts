import type { Browser, Page } from "playwright-core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { browserPath, openBrowser, withPage } from "../support/views/browser.ts";
import { type FakeConsole, startFakeConsole } from "../support/views/fake-console.ts";
import { createState, Refusal } from "../support/views/procedures.ts";

const canary = "canary-7f3a@example.com";
const options = { viewport: { width: 1_440, height: 900 } };

describe.skipIf(!browserPath)(`keyboard${browserPath ? "" : " (not run: there is no Chromium)"}`, () => {
  let server: FakeConsole;
  let browser: Browser;
  beforeEach(async () => {
    server = await startFakeConsole(createState("support"));
    browser = await openBrowser(browserPath ?? "");
  });
  afterEach(async () => {
    await browser.close();
    await server.close();
  });

  const openQueue = async (page: Page, search = "") => {
    await page.goto(`${server.url}/queue${search}`);
    await page.locator("tr[data-record]").first().waitFor();
  };
  const focused = (page: Page) =>
    page.evaluate("document.activeElement.closest('[data-record]')?.dataset.record");

  it("goes from the queue to a record, acts, and comes back to the same row", async () => {
    await withPage(browser, options, async ({ page, faults }) => {
      await openQueue(page);
      for (const key of ["j", "j", "j", "k"]) await page.keyboard.press(key);
      const row = await focused(page);
      expect(row).toBe(await page.locator("tr[data-record]").nth(1).getAttribute("data-record"));

      await page.keyboard.press("Enter");
      await page.waitForURL(`${server.url}/records/${row}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.getByRole("button", { name: /^Refresh/ }).waitFor();
      await page.keyboard.press("a");
      await page.getByText("It is yours.").waitFor();
      await page.keyboard.press("r");
      await page.getByText("Needs attention → In review").waitFor();

      await page.getByLabel("Add a note").focus();
      await page.keyboard.type("They promise an answer today.");
      await page.keyboard.press("Control+Enter");
      await page.getByText("The note is added.").waitFor();
      expect(server.state.writes.map(({ name }) => name)).toEqual([
        "records.assign",
        "records.refresh",
        "records.addNote",
      ]);
      expect(server.state.writes[2]?.input).toMatchObject({
        text: "They promise an answer today.",
        restricted: false,
      });

      await page.goBack();
      await page.locator("tr[data-record]").first().waitFor();
      await expect.poll(() => focused(page)).toBe(row);
      expect(faults).toEqual([]);
    });
  });

  /** Goes to a record that somebody else takes meanwhile, and tries to take it. Returns its id. */
  const takeTaken = async (page: Page) => {
    await openQueue(page, "?assignee=none");
    await page.keyboard.press("j");
    const id = await focused(page);
    const row = server.state.rows.find(({ kycRecordId }) => kycRecordId === id);
    if (!row) throw new Error("The focused row is not one of the records.");
    Object.assign(row, { assignee: { personId: "per_x", name: "Ben Lindqvist" }, assignmentVersion: 1 });
    await page.keyboard.press("a");
    return id;
  };

  it("tells who has a record that somebody else took meanwhile, in its row", async () => {
    await withPage(browser, options, async ({ page }) => {
      const id = await takeTaken(page);
      const shown = page.locator(`tr[data-record="${id}"]`);
      await shown.getByText("Ben Lindqvist has it already.").waitFor();
      expect(await focused(page)).toBe(id);
    });
  });

  it("tells in the row that it could not be read who took a record meanwhile", async () => {
    const failure = new Refusal(503, "SERVICE_UNAVAILABLE", "The service is not available.");
    server.state.failures.set("records.state", failure);
    await withPage(browser, options, async ({ page, faults }) => {
      const shown = page.locator(`tr[data-record="${await takeTaken(page)}"]`);
      await shown.getByText("The service is not available.").waitFor();
      expect(faults).toEqual([]);
    });
  });

  it("finds a user by e-mail without the e-mail in any address, title or storage", async () => {
    await withPage(browser, options, async ({ page, addresses }) => {
      await openQueue(page);
      await page.keyboard.press("/");
      await page.keyboard.type(canary);
      await page.keyboard.press("Enter");
      await page.getByText("Found on 3 platforms").waitFor();
      const kept = await page.evaluate(
        "JSON.stringify([document.title, location.href, history.state, {...localStorage}, {...sessionStorage}])",
      );
      expect(kept).not.toContain("canary-7f3a");
      expect(addresses.filter((address) => address.includes("canary-7f3a"))).toEqual([]);
      expect(addresses.some((address) => address.includes("users.find"))).toBe(true);
    });
  });

  it("marks what changed without moving the list, and says when the connection is lost", async () => {
    await withPage(browser, options, async ({ page }) => {
      await openQueue(page, "?tab=open");
      await page.getByText("Live", { exact: true }).waitFor();
      const rows = page.locator("tr[data-record]");
      const id = (await rows.nth(2).getAttribute("data-record")) ?? "";
      const before = await rows.nth(2).boundingBox();
      server.change(id);
      await page.getByRole("button", { name: "1 record changed: Show" }).waitFor();
      expect(await rows.nth(2).boundingBox()).toEqual(before);
      server.cut(true);
      await page.getByText("Reconnecting…").waitFor();
      server.cut(false);
      await page.getByText("Live", { exact: true }).waitFor();
      await page.getByRole("button", { name: "1 record changed: Show" }).click();
      await page.getByRole("button", { name: "1 record changed: Show" }).waitFor({ state: "detached" });
    });
  });

  it("shows at most 200 rows, whose earlier pages leave and come back", async () => {
    server.state.rows = createState("support", 400).rows;
    await withPage(browser, options, async ({ page }) => {
      await openQueue(page, "?tab=all");
      const rows = page.locator("tr[data-record]");
      const first = await rows.first().getAttribute("data-record");
      for (let shown = 100; shown <= 250; shown += 50) {
        await page.getByRole("button", { name: "Load more" }).click();
        await expect.poll(() => rows.count()).toBe(Math.min(shown, 200));
      }
      await expect.poll(() => rows.first().getAttribute("data-record")).not.toBe(first);
      await page.getByRole("button", { name: "Load earlier" }).click();
      await expect.poll(() => rows.first().getAttribute("data-record")).toBe(first);
      expect(await rows.count()).toBe(200);
    });
  });

  it("offers a viewer nothing to do with a record", async () => {
    Object.assign(server.state, createState("viewer"));
    await withPage(browser, options, async ({ page }) => {
      await openQueue(page);
      await page.getByText("Ada Okafor").first().waitFor();
      for (const key of ["j", "a", "r", "Enter"]) await page.keyboard.press(key);
      await page.getByText("Your role reads notes and records").waitFor();
      expect(await page.getByRole("button", { name: /^(Refresh|Assign to me|Add note)/ }).count()).toBe(0);
      expect(server.state.writes).toEqual([]);
    });
  });

  it("returns to the same view after the session ended", async () => {
    await withPage(browser, options, async ({ page }) => {
      await openQueue(page, "?tab=open&order=newest");
      server.state.signedOut = true;
      await page.getByRole("link", { name: "All", exact: true }).click();
      await page.getByText("You were signed out").waitFor();
      const again = await page.getByRole("link", { name: "Sign in again" }).getAttribute("href");
      expect(again).toBe("/auth/sign-in?return=%2Fqueue%3Ftab%3Dall%26order%3Dnewest");
    });
  });
});
