import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newPage, signIn, watch } from "../support/people.ts";
import { startStack } from "../support/stack.ts";
import { browserPath, openBrowser } from "../support/views/browser.ts";

/* People at work, with the real service, its database and its sandbox. */
describe.skipIf(!browserPath)(`a day${browserPath ? "" : " (not run: there is no Chromium)"}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser(browserPath ?? "");
  });
  afterAll(() => browser?.close());

  it("finds a user by e-mail, sees why it is stuck, refreshes, assigns and notes, by keyboard alone", async () => {
    const stack = await startStack();
    const [memberId, email] = ["canary-member-5d1f", "canary-5d1f+mismatched@demo.cardbridge.test"];
    const record = await stack.submit(memberId, email);
    await stack.needAttention(record);
    const page = await newPage(browser);
    const seen = watch(page);

    await page.goto(stack.url);
    await tabTo(page, "Sign in");
    await page.keyboard.press("Enter");
    await tabTo(page, "Sam Support");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Home" }).waitFor();

    await page.keyboard.press("/");
    await page.keyboard.type(email);
    await page.keyboard.press("Enter");
    await page.getByText("Found on 1 platform").waitFor();
    await tabTo(page, /^usr_\w+…/);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Verifications" }).waitFor();
    await tabTo(page, /^kyc_\w+…/);
    await page.keyboard.press("Enter");
    await page.waitForURL(`${stack.url}/records/${record}`);
    await page
      .getByRole("heading", { level: 1, name: "The provider answers about another submission" })
      .waitFor();

    await page.keyboard.press("r");
    await page.getByText("Asked: no clear answer").first().waitFor();
    await page.keyboard.press("a");
    await page.getByText("It is yours.").waitFor();
    await tabTo(page, "Add a note");
    await page.keyboard.type("The provider is told.");
    await page.keyboard.press("Control+Enter");
    await page.getByText("The note is added.").waitFor();
    await page.getByRole("listitem").filter({ hasText: "The provider is told." }).first().waitFor();

    const stored = await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])");
    for (const canary of [memberId, email, "canary-5d1f", encodeURIComponent(email)]) {
      for (const place of [...seen.urls, ...seen.titles, String(stored), stack.output()]) {
        expect(place).not.toContain(canary);
      }
    }
    expect(seen.faults).toEqual([]);
    await page.context().close();
  });

  it("tells the second of two people who take a record at once who was first", async () => {
    const stack = await startStack();
    const record = await stack.submit("mia", "mia+mismatched@demo.cardbridge.test");
    const [sam, cleo] = [await newPage(browser), await newPage(browser)];
    await signIn(sam, stack.url, "Sam Support");
    await signIn(cleo, stack.url, "Cleo Compliance");
    for (const page of [sam, cleo]) {
      await page.goto(`${stack.url}/records/${record}`);
      await page.getByRole("button", { name: "Assign to me" }).waitFor();
    }
    // Sam's call arrives after Cleo's.
    await sam.route("**/records.assign*", async (route) => {
      await cleo.keyboard.press("a");
      await cleo.getByText("It is yours.").waitFor();
      await route.continue();
    });
    await sam.keyboard.press("a");
    await sam.getByText("Cleo Compliance took it a moment ago.").waitFor();
    for (const page of [sam, cleo]) await page.context().close();
  });

  it("misses no change while the service is away for ten seconds", async () => {
    const stack = await startStack();
    const page = await newPage(browser);
    await signIn(page, stack.url, "Vera Viewer");
    // The provider approves them after five seconds, while the service is away.
    const submitted = [1, 2, 3].map((n) => stack.submit(`away-${n}`, `away-${n}@demo.cardbridge.test`));
    const records = await Promise.all(submitted);
    await page.goto(`${stack.url}/queue?tab=all`);
    const rows = records.map((id) => page.locator(`tr[data-record="${id}"]`));
    for (const row of rows) await row.waitFor();
    await page.getByText("Live", { exact: true }).waitFor();

    await stack.killService();
    await page.getByText("Reconnecting…").first().waitFor();
    await new Promise((resolve) => setTimeout(resolve, 10_000));
    await stack.restartService();
    await page.getByText("Live", { exact: true }).waitFor();
    await expect.poll(() => changedOrApproved(rows)).toEqual([true, true, true]);
    const bar = page.getByRole("button", { name: /records? changed/ });
    if (await bar.isVisible()) await bar.click();
    for (const row of rows) await row.getByText("approved", { exact: true }).waitFor();
    await page.context().close();
  });
});

/** Whether each row says that it changed, or shows the last state already. */
function changedOrApproved(rows: readonly Locator[]): Promise<boolean[]> {
  return Promise.all(rows.map(async (row) => /changed|approved/.test((await row.textContent()) ?? "")));
}

/** Presses Tab until an element whose name or text contains `name` has the focus. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  await page.getByText(name).or(page.getByLabel(name)).first().waitFor();
  const names: string[] = [];
  while (names.length < 100) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate<string>(
      "(document.activeElement.labels?.[0] ?? document.activeElement).innerText ?? ''",
    );
    if (focused.search(name) >= 0) return;
    names.push(focused);
  }
  throw new Error(`Tab does not reach ${name}: ${names.join(" | ")}`);
}
