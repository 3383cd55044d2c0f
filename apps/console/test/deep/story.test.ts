import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { refuse } from "../support/answers.ts";
import { describeInBrowser, dialog, endSession, focusInDialog, keptBy, watch } from "../support/people.ts";
import { submitStuck } from "../support/seed.ts";

const rows = (page: Page) => page.locator("tr[data-record]");
const head = (page: Page) => page.locator("header").filter({ has: page.locator("h1") });
const focused = (page: Page) =>
  page.evaluate("document.activeElement.closest('[data-record]')?.dataset.record");

/** Opens a view, and waits until it follows the changes. */
async function follow(page: Page, url: string): Promise<void> {
  const connected = page.waitForResponse("**/records.changes*");
  await page.goto(url);
  await connected;
}

/* People of support at work. */
describeInBrowser("a day", (world) => {
  it("finds a user by e-mail, sees why it is stuck, refreshes, assigns and notes, by keyboard alone", async () => {
    const { stack } = world;
    const [memberId, email] = ["canary-5d1f", "canary-5d1f+mismatched@demo.cardbridge.test"];
    const { kycRecordId } = await stack.submit(memberId, email);
    await stack.needAttention(kycRecordId);
    const page = await world.page();
    const seen = watch(page);

    await page.goto(stack.url);
    await tabTo(page, "Sign in");
    await page.keyboard.press("Enter");
    await tabTo(page, "Sam Support");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Home" }).waitFor();

    await page.getByPlaceholder("Search anything").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type(email);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "c•••@" }).waitFor();
    await tabTo(page, "Open the verification");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${stack.url}/records/${kycRecordId}`);
    await page
      .getByRole("heading", { level: 1, name: "The provider answers about another submission" })
      .waitFor();

    await page.keyboard.press("r");
    await page.getByText("Asked: the provider answered about").first().waitFor();
    await page.keyboard.press("a");
    await page.getByText("Assigned to You").waitFor();
    await page.keyboard.press("n");
    await page.keyboard.type("The provider is told.");
    await page.keyboard.press("Control+Enter");
    await page.getByText("The note is added.").waitFor();
    await page.getByRole("listitem").filter({ hasText: "The provider is told." }).first().waitFor();

    for (const canary of [memberId, encodeURIComponent(email)]) {
      for (const place of [...seen.urls, ...seen.titles, await keptBy(page), stack.output()])
        expect(place).not.toContain(canary);
    }
    expect(seen.faults).toEqual([]);
  });

  it("goes from a row of the queue to its record by keys, and comes back to the same row", async () => {
    for (const name of ["row-one", "row-two"]) await submitStuck(world, name);
    const page = await world.page("sam");
    await page.goto(`${world.stack.url}/queue`);
    await rows(page).nth(1).waitFor();
    // A menu that was open once stays in the document, and must not take the keys.
    await page.getByRole("combobox", { name: /^Status/ }).click();
    await page.getByRole("listbox").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("listbox").waitFor({ state: "hidden" });
    for (const key of ["j", "j", "k", "j"]) await page.keyboard.press(key);
    const row = await focused(page);
    expect(row).toBe(await rows(page).nth(1).getAttribute("data-record"));
    await page.keyboard.press("Enter");
    await page.waitForURL(`${world.stack.url}/records/${row}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.goBack();
    await rows(page).first().waitFor();
    await expect.poll(() => focused(page)).toBe(row);

    // The session ends meanwhile.
    await endSession(page, () => page.getByRole("link", { name: "All", exact: true }).click());
    await page.getByRole("button", { name: "Sign in again" }).waitFor();
  });

  it("sends again with one key and Enter, and hands over to the role that can go on, with a note", async () => {
    const { kycRecordId } = await submitStuck(world, "handed-over");
    const page = await world.page("sam");
    await page.goto(`${world.stack.url}/records/${kycRecordId}`);
    await page.getByText("compliance enters the decision.").waitFor();
    await page.keyboard.press("h");
    await focusInDialog(page);
    expect(await dialog(page).getByLabel("To").inputValue()).toBe("compliance");
    await page.keyboard.press("Tab");
    await page.keyboard.type("They say that it is approved.");
    await page.keyboard.press("Control+Enter");
    await page.getByText("Assigned to compliance, everybody").first().waitFor();
    await page.getByRole("listitem").filter({ hasText: "They say that it is approved." }).waitFor();
    const mine = { assignee: "me", open: true };
    const { records } = await world.call<{ records: object[] }>("cleo", "records.search", mine);
    expect(records).toContainEqual(expect.objectContaining({ kycRecordId, assignedRole: "compliance" }));

    const { kycRecordId: unsent } = await world.stack.submit("lost", "lost+error-500@demo.cardbridge.test");
    await world.stack.needAttention(unsent);
    await page.goto(`${world.stack.url}/records/${unsent}`);
    await page.getByRole("button", { name: "Send again" }).waitFor();
    await page.keyboard.press("s");
    await focusInDialog(page);
    await page.keyboard.press("Enter");
    await page.getByText("Nothing was sent yet: one more such reply is required.").waitFor();
    await page.keyboard.press("s");
    await focusInDialog(page);
    await page.keyboard.press("Enter");
    await page.getByText("Needs attention → In review").waitFor();
  });

  it("tells the second of two people who take a record at once who was first, on the record and in its row", async () => {
    const { kycRecordId } = await submitStuck(world, "mia");
    const [sam, cleo, queue] = [await world.page("sam"), await world.page("cleo"), await world.page("sam")];
    for (const page of [sam, cleo]) {
      await page.goto(`${world.stack.url}/records/${kycRecordId}`);
      await page.getByRole("button", { name: "Assign to me" }).waitFor();
    }
    await queue.goto(`${world.stack.url}/queue`);
    const row = queue.locator(`tr[data-record="${kycRecordId}"]`);
    await row.waitFor();
    while ((await focused(queue)) !== kycRecordId) await queue.keyboard.press("j");
    // Sam's calls arrive after Cleo's.
    const arrived = Promise.withResolvers<void>();
    for (const page of [sam, queue]) {
      await page.route("**/records.assign*", async (route) => {
        await arrived.promise;
        await route.continue();
      });
      await page.keyboard.press("a");
    }
    await cleo.keyboard.press("a");
    await cleo.getByText("Assigned to You").waitFor();
    arrived.resolve();
    await sam.getByText("Cleo Compliance took it a moment ago.").waitFor();
    await row.getByText("Cleo Compliance has it already.").waitFor();
    expect(await focused(queue)).toBe(kycRecordId);

    await queue.unroute("**/records.assign*");
    await refuse(queue, "records.assign", 409, "KYC_RECORD_CONFLICT");
    await refuse(queue, "records.state", 500, "INTERNAL_ERROR");
    await queue.keyboard.press("a");
    await row.getByText("It is not possible now.").waitFor();
  });

  it("sees a change without that the list moves, and shows the states of one moment together", async () => {
    const { stack } = world;
    const first = await stack.submit("moves", "moves+pending@demo.cardbridge.test");
    const [queue, record] = [await world.page("vera"), await world.page("cleo")];
    await follow(queue, `${stack.url}/queue?tab=open&order=newest`);
    const row = queue.locator(`tr[data-record="${first.kycRecordId}"]`);
    await row.waitFor();
    await follow(record, `${stack.url}/records/${first.kycRecordId}`);
    await head(record).getByText("In review").waitFor();
    const place = await row.boundingBox();

    await stack.verdict(first.kycRecordId, "approved");
    await queue.getByRole("button", { name: /records? changed: Show/ }).waitFor();
    await row.getByText("changed", { exact: true }).first().waitFor();
    expect(await row.boundingBox()).toEqual(place);

    const copy = head(record).getByRole("button", { name: "Copy", exact: true });
    await record.getByRole("button", { name: "It changed: Show" }).waitFor();
    await head(record).getByText("In review").waitFor();
    await head(record).getByRole("heading", { name: "The provider reviews it" }).waitFor();
    await head(record).getByText("Show the new state before you repeat this.").waitFor();
    expect(await copy.isDisabled()).toBe(true);
    await record.getByRole("button", { name: "It changed: Show" }).click();
    await head(record).getByText("Approved", { exact: true }).waitFor();
    await head(record).getByRole("heading", { name: "The provider approved it" }).waitFor();
    expect(await copy.isEnabled()).toBe(true);
  });

  it("misses no change while the service is away", async () => {
    const { stack } = world;
    const submit = (n: number) => stack.submit(`away-${n}`, `away-${n}+pending@demo.cardbridge.test`);
    const records = [await submit(1), await submit(2), await submit(3)];
    const page = await world.page("vera");
    await follow(page, `${stack.url}/queue?tab=all&order=newest`);
    const shown = records.map(({ kycRecordId }) => page.locator(`tr[data-record="${kycRecordId}"]`));
    for (const row of shown) await row.waitFor();

    await stack.killService();
    const lost = page.getByText("Connection lost.");
    await lost.waitFor();
    // The page cannot connect before the provider has decided about all of them.
    await page.route("**/records.changes*", (route) => route.abort());
    await stack.restartService();
    for (const { kycRecordId } of records) await stack.verdict(kycRecordId, "approved");
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await lost.waitFor({ state: "detached" });
    const isKnown = (text: string | null) => /changed|approved/.test(text ?? "");
    const known = async () => (await Promise.all(shown.map((row) => row.textContent()))).map(isKnown);
    await expect.poll(known).toEqual([true, true, true]);
    const bar = page.getByRole("button", { name: /records? changed/ });
    if (await bar.isVisible()) await bar.click();
    for (const row of shown) await row.getByText("approved", { exact: true }).waitFor();
  });
});

/** Presses Tab until an element whose name or text contains `name` has the focus. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  await page.getByText(name).or(page.getByLabel(name)).first().waitFor();
  const names: string[] = [];
  while (names.length < 100) {
    await page.keyboard.press("Tab");
    const text = await page.evaluate<string>(
      "(document.activeElement.labels?.[0] ?? document.activeElement).innerText ?? ''",
    );
    if (text.search(name) >= 0) return;
    names.push(text);
  }
  throw new Error(`Tab does not reach ${name}: ${names.join(" | ")}`);
}
