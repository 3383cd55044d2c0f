import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { change, restore } from "../support/answers.ts";
import {
  describeInBrowser,
  dialog,
  endSession,
  keptBy,
  openEvidence,
  press,
  watch,
} from "../support/people.ts";
import { canary, submitStuck } from "../support/seed.ts";

/** Signs in again as a person, in the window that opens for it and closes itself. */
async function signInBeside(page: Page, person: string): Promise<void> {
  const opened = page.waitForEvent("popup");
  await press(page, "Sign in again");
  const popup = await opened;
  const closed = popup.waitForEvent("close");
  await popup.getByRole("button", { name: person }).click();
  await closed;
}

/** Tells the pages of the browser to look who is signed in, as one of them does after a sign-in. */
const lookAgain = (page: Page) =>
  page.evaluate<void>("new BroadcastChannel('session').postMessage('signed-in')");

describeInBrowser("a sign-in beside a view", (world) => {
  it("keeps a note and a dialog, with the focus, and no evidence, after the session has ended", async () => {
    const { kycRecordId } = await submitStuck(world, "kept");
    const page = await world.page("cleo");
    const { faults } = watch(page);
    await page.goto(`${world.stack.url}/records/${kycRecordId}`);
    await openEvidence(page);
    await page.getByText(canary).first().waitFor();
    const note = page.getByRole("textbox", { name: /note/i }).last();
    await note.fill("They sent the papers by post.");

    await page.getByRole("button", { name: "Refresh" }).focus();
    await endSession(page, () => press(page, "Refresh"));
    expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
    await expect.poll(() => page.content()).not.toContain(canary);
    expect(await keptBy(page)).not.toContain("papers");

    await signInBeside(page, "Cleo Compliance");
    await page.getByText("The evidence is closed.").waitFor();
    expect(await note.inputValue()).toBe("They sent the papers by post.");
    await page.locator("button:focus", { hasText: "Refresh" }).waitFor();
    expect(faults).toEqual([]);
  });

  it("keeps no identifiers that were revealed, and no export that runs", async () => {
    const { externalUserId } = await submitStuck(world, "revealed");
    const page = await world.page("cleo");
    const { faults } = watch(page);
    await page.goto(`${world.stack.url}/users/plt_demo_one/${externalUserId}`);
    await press(page, "Reveal…");
    await page.getByLabel("The person asks for it").check();
    await press(page, "Reveal");
    await page.getByText("revealed+mismatched@demo.cardbridge.test").waitFor();
    const masked = page.getByText("r•••@d•••.test");
    expect(await masked.count()).toBe(1);
    let downloads = 0;
    page.on("download", () => void downloads++);
    const asked = Promise.withResolvers<() => Promise<void>>();
    await page.route("**/api/trpc/users.exportPart", (route) => asked.resolve(() => route.continue()));
    await press(page, "Export…");
    await page.getByLabel("The person asks for it").check();
    await press(page, "Export");
    const goOn = await asked.promise;

    await endSession(page, () => lookAgain(page));
    for (const trace of ["revealed+", "r•••@"]) await expect.poll(() => page.content()).not.toContain(trace);
    await goOn();

    await signInBeside(page, "Cleo Compliance");
    await masked.waitFor();
    await dialog(page).getByRole("button", { name: "Export" }).waitFor();
    expect([await page.content(), downloads]).toEqual([expect.not.stringContaining("revealed+"), 0]);
    expect(faults).toEqual([]);
  });

  it("keeps what is typed in a dialog: for a recent sign-in, and when the session ends", async () => {
    const page = await world.page("omar");
    const { faults } = watch(page);
    await change<object>(page, "persons.me", (me) => ({ ...me, signInRequiredAt: null }));
    await page.goto(`${world.stack.url}/system`);
    await press(page, "Pause provider…");
    const why = dialog(page).getByLabel("Why");
    await why.fill("They asked for it");
    restore(page);
    await signInBeside(page, "Omar Operator");
    await dialog(page).getByText("This step needs a sign-in").waitFor({ state: "detached" });
    expect(await why.inputValue()).toBe("They asked for it");

    await dialog(page).getByLabel("Type PAUSE to confirm").fill("PAUSE");
    await endSession(page, () => dialog(page).getByRole("button", { name: "Pause" }).click());
    expect(await dialog(page).count()).toBe(0);
    await signInBeside(page, "Omar Operator");
    expect(await why.inputValue()).toBe("They asked for it");
    await dialog(page).getByLabel("Type PAUSE to confirm").fill("PAUSE");
    await dialog(page).getByRole("button", { name: "Pause" }).click();
    await page
      .getByText(/^Provider paused until/)
      .first()
      .waitFor();
    expect(faults).toEqual([]);
  });

  it("of another person begins the page again, and a sign-out is one of every page", async () => {
    const page = await world.page("cleo");
    await page.goto(`${world.stack.url}/queue?tab=all`);
    await page.getByRole("button", { name: "Cleo Compliance" }).waitFor();
    const other = await page.context().newPage();
    await other.goto(`${world.stack.url}/audit`);
    await other.getByRole("button", { name: "Cleo Compliance" }).waitFor();

    await endSession(page, () => lookAgain(page));
    // A page behind another one draws nothing, and a click waits until the page draws.
    await page.bringToFront();
    await signInBeside(page, "Sam Support");
    for (const each of [page, other]) await each.getByRole("button", { name: "Sam Support" }).waitFor();
    expect(page.url()).toMatch(/\/queue\?tab=all$/);

    await page.bringToFront();
    await page.getByRole("button", { name: "Sam Support" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    for (const each of [page, other])
      await each.getByRole("heading", { name: "You are signed out" }).waitFor();
  });
});
