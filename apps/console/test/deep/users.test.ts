import { readFile } from "node:fs/promises";
import { unzipSync } from "fflate";
import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { change } from "../support/answers.ts";
import { describeInBrowser, dialog, keptBy, openEvidence, press, watch } from "../support/people.ts";
import { canary, submitStuck } from "../support/seed.ts";
import type { Submitted } from "../support/stack.ts";

/** Presses a button that is disabled: it keeps the focus, and does nothing. */
const tryPress = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).press("Enter");
const needsAnother = /[Aa]nother person|[Pp]ropose|two people/;

describeInBrowser("users", (world) => {
  let user: Submitted;
  beforeAll(async () => {
    user = await submitStuck(world, "some-user");
  });

  const goToUser = async ({ externalUserId } = user) => {
    const page = await world.page("cleo");
    const seen = watch(page);
    await page.goto(`${world.stack.url}/users/plt_demo_one/${externalUserId}`);
    await page.getByRole("heading", { name: "Verifications" }).waitFor();
    return { page, seen };
  };
  /** Confirms the open proposal about a user as Cora. The word is asked for before an erasure. */
  const confirmAsCora = async (of: Submitted, word?: string) => {
    const cora = await world.page("cora");
    await cora.goto(`${world.stack.url}/users/plt_demo_one/${of.externalUserId}`);
    await press(cora, "Confirm…");
    if (word) {
      await tryPress(cora, "Confirm");
      await dialog(cora).getByLabel(`Type ${word} to confirm`).fill(word);
    }
    await press(cora, "Confirm");
    await cora.getByText("Confirmed.").waitFor();
  };

  it("are found by what a person can type, from anywhere by keys alone", async () => {
    const page = await world.page("sam");
    const seen = watch(page);
    await page.goto(`${world.stack.url}/queue`);
    const find = async (text: string) => {
      await page.getByRole("combobox", { name: "Search" }).waitFor();
      await page.keyboard.press("/");
      await page.keyboard.type(text);
    };
    // Enter before the results: the only one opens.
    await find("some-user+mismatched@demo.cardbridge.test");
    await page.keyboard.press("Enter");
    const path = `${world.stack.url}/users/plt_demo_one/${user.externalUserId}`;
    await page.waitForURL(path);
    await page.getByRole("heading", { level: 1, name: "s•••@d•••.test" }).waitFor();
    await page.getByText(/answers about another submission/).waitFor();
    await page.getByRole("link", { name: "Open the verification" }).press("Enter");
    await page.waitForURL(`${world.stack.url}/records/${user.kycRecordId}`);
    // The shortened id, as the page shows it, and an arrow among several results.
    await find(user.externalUserId.replace(/^(usr_.{4}).*(.{4})$/, "$1…$2"));
    await page.getByRole("option", { name: /^User/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(path);
    await find("req_00000000000000000000000000");
    await page.getByText("Nothing found.").waitFor();
    await page.keyboard.press("Escape");
    expect(await page.getByRole("combobox", { name: "Search" }).inputValue()).toBe("");
    for (const place of [await keptBy(page), ...seen.urls, ...seen.titles])
      expect(place).not.toContain("some-user");
    expect(seen.faults).toEqual([]);
  });

  it("reveal identifiers for a purpose, and keep them nowhere", async () => {
    const { page, seen } = await goToUser();
    await press(page, "Reveal…");
    await tryPress(page, "Reveal");
    await page.getByLabel("The person asks for it").check();
    await press(page, "Reveal");
    await page.getByText("some-user+mismatched@demo.cardbridge.test").waitFor();
    for (const place of [await keptBy(page), ...seen.urls]) expect(place).not.toContain("some-user");
    await press(page, "Hide");
    await expect.poll(() => page.evaluate("document.body.innerText")).not.toContain("some-user");
    expect(seen.faults).toEqual([]);
  });

  it("propose new identifiers, and say when they belong to another user", async () => {
    const { page } = await goToUser();
    await press(page, "Change…");
    await tryPress(page, "Propose the change");
    await page.getByLabel("New e-mail").fill("alice@demo.cardbridge.test");
    await press(page, "Propose the change");
    await dialog(page)
      .getByText(/another user/)
      .waitFor();
    await page.getByLabel("New e-mail").fill("new@example.com ");
    await press(page, "Propose the change");
    await page.getByText("The change is proposed.").waitFor();
    await confirmAsCora(user);
    const query = { platformId: "plt_demo_one", externalUserId: user.externalUserId, purpose: "person" };
    const names = await world.call("cleo", "users.identifiers", query);
    expect(names).toMatchObject({ email: "new@example.com", memberId: "some-user" });
  });

  it("export all parts as one archive, for a purpose", async () => {
    const { page, seen } = await goToUser();
    await press(page, "Export…");
    await page.getByLabel("The person asks for it").check();
    const [file] = await Promise.all([page.waitForEvent("download"), press(page, "Export")]);
    expect(file.suggestedFilename()).toBe(`${user.externalUserId}.zip`);
    const archive = unzipSync(await readFile(await file.path()));
    expect(Object.keys(archive)).toEqual(expect.arrayContaining(["README.txt", "person.json"]));
    expect(Object.keys(archive).filter((name) => name.startsWith("files/"))).toHaveLength(3);
    expect(Buffer.concat(Object.values(archive)).includes(canary)).toBe(true);
    await page.getByText(`Your browser stores the archive: ${Object.keys(archive).length} files`).waitFor();
    expect(seen.faults).toEqual([]);
  });

  it("place a hold with the number of a case, lift it and erase the user by two persons", async () => {
    const { page } = await goToUser();
    await press(page, "Place…");
    await page.getByLabel("Case").fill("Mr Chan");
    await tryPress(page, "Place the hold");
    await page.getByLabel("Case").fill("HKMA-2027/118");
    await page.getByLabel("Ends on").fill("2030-12-31");
    await press(page, "Place the hold");
    await page.getByText("The hold is placed.").waitFor();
    const place = { platformId: "plt_demo_one", externalUserId: user.externalUserId };
    const { holds } = await world.call<{ holds: { reference: string; until: string }[] }>(
      "cleo",
      "holds.list",
      place,
    );
    expect(holds.map(({ reference }) => reference)).toEqual(["HKMA-2027/118"]);
    expect(new Date(holds[0]?.until ?? "").toLocaleDateString("sv-SE")).toBe("2030-12-31");
    await press(page, "Erase…");
    await page.getByText("A legal hold covers this user. The erasure waits until it ends.").waitFor();
    await press(page, "Cancel");

    await press(page, "Lift…");
    await press(page, "Propose to lift it");
    await page.getByText("The lift is proposed.").waitFor();
    await page.getByText("You proposed it, so another person has to confirm it.").waitFor();
    expect(await page.getByRole("button", { name: "Confirm…" }).count()).toBe(0);
    await press(page, "Withdraw…");
    await press(page, "Withdraw");
    await page.getByText("Withdrawn. Nothing was changed.").waitFor();

    const other = await submitStuck(world, "other-user");
    const { page: second } = await goToUser(other);
    await press(second, "Erase…");
    await tryPress(second, "Propose the erasure");
    await second.getByLabel("Type ERASE to confirm").fill("ERASE");
    await second.keyboard.press("Enter");
    await second.getByText("The erasure is proposed.").waitFor();
    await confirmAsCora(other, "ERASE");
    await second.reload();
    await second.getByText("erasure requested").waitFor();
    await change<object>(second, "users.show", (shown) => ({ ...shown, erasure: "erased" }));
    await second.reload();
    await second.getByText("This user is erased.").waitFor();
    await second.getByRole("heading", { name: "Verifications" }).waitFor();
    for (const name of ["Acts", "Cards", "Legal hold"])
      expect(await second.getByRole("heading", { name, exact: true }).count()).toBe(0);
  });

  it("happen at once without four eyes, after the word, and none asks for another person", async () => {
    await world.stack.killService();
    await world.stack.restartService({ FOUR_EYES: "off" });
    const alone = await submitStuck(world, "alone");
    const { page } = await goToUser(alone);
    const act = async (open: string, button: string, word: string, done: string) => {
      await press(page, open);
      expect(await dialog(page).textContent()).not.toMatch(needsAnother);
      await tryPress(page, button);
      await dialog(page).getByLabel(`Type ${word} to confirm`).fill(word);
      await page.keyboard.press("Enter");
      await page.getByText(done).waitFor();
    };
    await press(page, "Change…");
    await page.getByText("gets the new identifiers at once.").waitFor();
    expect(await dialog(page).textContent()).not.toMatch(needsAnother);
    await page.getByLabel("New e-mail").fill("alone@example.com");
    await press(page, "Change the identifiers");
    await page.getByText("The identifiers are changed.").waitFor();
    await press(page, "Place…");
    expect(await dialog(page).textContent()).not.toMatch(needsAnother);
    await page.getByLabel("Case").fill("HKMA-2027/119");
    await press(page, "Place the hold");
    await act("Lift…", "Lift the hold", "LIFT", "The hold is lifted.");

    await page.goto(`${world.stack.url}/records/${alone.kycRecordId}`);
    await openEvidence(page);
    await press(page, "Enter the decision");
    await page.getByRole("radio", { name: /^Approved/ }).check();
    await page.getByLabel("Note", { exact: false }).first().fill("They told us on the telephone.");
    await page.getByText("it is approved at once, without another person.").waitFor();
    await act("Approve…", "Approve", "APPROVE", "Stored: Needs attention → Approved");

    await page.goto(`${world.stack.url}/users/plt_demo_one/${alone.externalUserId}`);
    await act("Erase…", "Erase the user", "ERASE", "erasure requested");
    await page.goto(`${world.stack.url}/proposals`);
    await page.getByText("acts happen at once, without a proposal.").waitFor();
  });
});
