import { readFile } from "node:fs/promises";
import { unzipSync } from "fflate";
import type { Browser, Page } from "playwright-core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { browserPath, openBrowser, withPage } from "../support/views/browser.ts";
import { type FakeConsole, startFakeConsole } from "../support/views/fake-console.ts";
import { createState, Refusal } from "../support/views/procedures.ts";
import { createHold } from "../support/views/user-acts.ts";

const options = { viewport: { width: 1_440, height: 900 } };
const canary = /chan\.taiman|m-20417/;

describe.skipIf(!browserPath)(`user acts${browserPath ? "" : " (not run: there is no Chromium)"}`, () => {
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

  const goToUser = async (page: Page) => {
    const { platformId, externalUserId } = server.state.rows[0] ?? {};
    await page.goto(`${server.url}/users/${platformId}/${externalUserId}`);
    await page.getByRole("heading", { name: "Acts", exact: true }).waitFor();
  };
  const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
  /** Presses a button that is disabled: it keeps the focus, and does nothing. */
  const tryPress = (page: Page, name: string) =>
    page.getByRole("button", { name, exact: true }).press("Enter");
  const written = (wanted: string) =>
    server.state.writes.filter(({ name }) => name === wanted).map(({ input }) => input);

  it("reveals identifiers for a purpose, and keeps them nowhere", async () => {
    await withPage(browser, options, async ({ page, addresses, faults }) => {
      await goToUser(page);
      await press(page, "Reveal…");
      await tryPress(page, "Reveal");
      expect(written("users.identifiers")).toEqual([]);
      await page.getByLabel("The person asks for it").check();
      await press(page, "Reveal");
      await page.getByText("m-20417").waitFor();
      expect(written("users.identifiers")).toMatchObject([{ purpose: "person" }]);
      const kept = await page.evaluate<string>(
        "JSON.stringify([document.title, location.href, history.state, {...localStorage}, {...sessionStorage}])",
      );
      for (const place of [kept, ...addresses]) expect(place).not.toMatch(canary);
      await press(page, "Hide");
      await expect.poll(() => page.evaluate("document.body.innerText")).not.toMatch(canary);
      expect(faults).toEqual([]);
    });
  });

  it("proposes new identifiers with the version that was seen, and says when they belong to another user", async () => {
    await withPage(browser, options, async ({ page }) => {
      await goToUser(page);
      await press(page, "Change…");
      await tryPress(page, "Propose the change");
      expect(written("users.relink")).toEqual([]);
      await page.getByLabel("New e-mail").fill("new@example.com ");
      const taken = new Refusal(409, "USER_IDENTITY_CONFLICT", "The e-mail belongs to another user.");
      server.state.failures.set("users.relink", taken);
      await press(page, "Propose the change");
      await page.getByText("The e-mail belongs to another user.").waitFor();
      server.state.failures.clear();
      await press(page, "Propose the change");
      await page.getByText("The change is proposed.").waitFor();
      const input = written("users.relink").at(-1);
      expect(input).toMatchObject({ email: "new@example.com", version: "u3" });
      expect(input).not.toHaveProperty("memberId");
    });
  });

  it("erases only with the word, and then only proposes it", async () => {
    await withPage(browser, options, async ({ page }) => {
      await goToUser(page);
      await press(page, "Erase…");
      await tryPress(page, "Propose the erasure");
      expect(written("users.erase")).toEqual([]);
      await page.getByLabel("Type ERASE to confirm").fill("ERASE");
      await page.keyboard.press("Enter");
      await page.getByText("The erasure is proposed.").waitFor();
      await page.getByText("Ada Okafor proposed to erase this user.").waitFor();
      expect(written("users.erase")).toMatchObject([{ version: "u3" }]);
    });
  });

  it("places a hold with the number of a case, and proposes to lift it", async () => {
    await withPage(browser, options, async ({ page }) => {
      await goToUser(page);
      await press(page, "Place…");
      await page.getByLabel("Case").fill("Mr Chan");
      await tryPress(page, "Place the hold");
      expect(written("holds.place")).toEqual([]);
      await page.getByLabel("Case").fill("HKMA-2027/118");
      await page.getByLabel("Ends on").fill("2030-12-31");
      await press(page, "Place the hold");
      await page.getByText("The hold is placed.").waitFor();
      const until = String(written("holds.place")[0]?.until);
      expect(new Date(until).toLocaleDateString("sv-SE")).toBe("2030-12-31");
      await press(page, "Lift…");
      await press(page, "Propose to lift it");
      await page.getByText("The lift is proposed.").waitFor();
      expect(written("holds.lift")).toMatchObject([{ holdId: "hold_0" }]);
    });
  });

  it("says before an erasure that a hold makes it wait", async () => {
    server.state.holds = [createHold()];
    await withPage(browser, options, async ({ page }) => {
      await goToUser(page);
      await press(page, "Erase…");
      await page.getByText("A legal hold covers this user. The erasure waits until it ends.").waitFor();
    });
  });

  it("says of an erased user that nothing is left, and offers no act and no hold", async () => {
    server.state.erased = true;
    await withPage(browser, options, async ({ page }) => {
      const { platformId, externalUserId } = server.state.rows[0] ?? {};
      await page.goto(`${server.url}/users/${platformId}/${externalUserId}`);
      await page.getByText("This user is erased.").waitFor();
      await page.getByRole("heading", { name: "Verifications" }).waitFor();
      for (const name of ["Acts", "Cards", "Legal hold"])
        expect(await page.getByRole("heading", { name, exact: true }).count()).toBe(0);
      expect(await page.getByText("Something went wrong on our side").count()).toBe(0);
    });
  });

  it("exports all parts as one archive, for a purpose", async () => {
    await withPage(browser, options, async ({ page, faults }) => {
      await goToUser(page);
      await press(page, "Export…");
      await page.getByLabel("The person asks for it").check();
      const [file] = await Promise.all([page.waitForEvent("download"), press(page, "Export")]);
      expect(file.suggestedFilename()).toBe(`${server.state.rows[0]?.externalUserId}.zip`);
      const archive = unzipSync(await readFile(await file.path()));
      const sizes = Object.entries(archive).map(([name, bytes]) => [name, bytes.length]);
      expect(sizes).toEqual([
        ["README.txt", 400],
        ["person.json", 900],
        ["records/kyc_1.json", 4_000],
        ["files/file_1.jpg", 3_000_000],
      ]);
      expect(Buffer.from(archive["README.txt"] ?? []).toString()).toMatch(/^cardbridge/);
      await page.getByText("Your browser stores the archive: 4 files, 3.0 MB.").waitFor();
      expect(written("users.exportPart").map(({ index, purpose }) => [index, purpose])).toEqual(
        [0, 1, 2, 3, 4].map((index) => [index, "person"]),
      );
      expect(faults).toEqual([]);
    });
  });

  it("offers nothing of this to support", async () => {
    Object.assign(server.state, createState("support", 90));
    await withPage(browser, options, async ({ page, addresses }) => {
      const { platformId, externalUserId } = server.state.rows[0] ?? {};
      await page.goto(`${server.url}/users/${platformId}/${externalUserId}`);
      await page.getByText("4242").waitFor();
      expect(await page.getByRole("heading", { name: "Acts", exact: true }).count()).toBe(0);
      expect(addresses.filter((address) => /holds\.|proposals\./.test(address))).toEqual([]);
    });
  });
});
