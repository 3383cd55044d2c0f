import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { describeInBrowser, openEvidence, signIn, watch } from "../support/people.ts";
import { canary, submitStuck } from "../support/seed.ts";

/** Personal data of the submissions: it may be in the pages, and nowhere else. */
const personal = new RegExp(`${canary}|mismatched@`);
const verifier = fileURLToPath(new URL("../../../../ops/audit/verify-case-file.mjs", import.meta.url));

/* Three roles work on one day. Two persons have compliance. */
describeInBrowser("three roles", (world) => {
  it("decide a stuck record with four eyes, and prove it to somebody outside", async () => {
    const { stack } = world;
    const { kycRecordId: first } = await submitStuck(world, "first");
    const { kycRecordId: second } = await submitStuck(world, "second");
    const people = await signInAll();
    const { cleo, cora, omar, ada } = people;
    const seen = Object.values(people).map(watch);

    await cleo.goto(`${stack.url}/records/${first}`);
    await openEvidence(cleo);
    await cleo.getByText("first+mismatched@demo.cardbridge.test").waitFor();
    await proposeApproval(cleo);
    await cleo.getByText("You proposed it, so another person has to confirm it.").waitFor();

    // The provider's own verdict makes the proposal void, while Cora looks at it.
    await cora.goto(`${stack.url}/records/${first}`);
    await openEvidence(cora);
    await cora.getByRole("button", { name: "Confirm…" }).waitFor();
    await stack.verdict(first, "pending_approval");
    await confirm(cora);
    await cora.getByText("What the proposer saw has changed, so the proposal is void.").first().waitFor();

    await cleo.goto(`${stack.url}/records/${second}`);
    await openEvidence(cleo);
    await cleo.getByRole("img", { name: /^Document, front/ }).waitFor();
    await proposeApproval(cleo);
    await cora.goto(`${stack.url}/records/${second}`);
    await cora.getByText("Cleo Compliance has opened the evidence, and you have not.").waitFor();
    expect(await cora.getByRole("button", { name: "Confirm…" }).isEnabled()).toBe(false);
    await openEvidence(cora);
    await cora.getByText("You and Cleo Compliance have opened the evidence.").waitFor();
    await confirm(cora);
    await cora.getByText("Confirmed. It is done.").waitFor();
    await cora.getByText("Cleo Compliance proposed, Cora Compliance confirmed").first().waitFor();
    const entry = cora.getByRole("listitem").filter({ hasText: "Cleo Compliance proposed" });
    await entry.getByRole("link", { name: "Cleo Compliance" }).click();
    await cora.waitForURL(/\/audit\?person=per_/);

    await omar.goto(`${stack.url}/webhooks`);
    await omar.getByRole("heading", { name: "Webhooks" }).waitFor();

    await ada.goto(`${stack.url}/audit`);
    for (const act of ["opened the evidence", "entered a decision", "confirmed a proposal"]) {
      await ada.getByText(act).first().waitFor();
    }
    await ada.getByRole("link", { name: "Evidence opened, 24 h" }).click();
    await ada.getByText("Cleo Compliance").first().waitFor();
    await ada.getByText("for review").first().waitFor();

    const published = join(stack.folder, "published.ndjson");
    for (const [address, opens, saves] of [
      [`/records/${second}`, "Case file", "Save the case file"],
      ["/audit?operation=records.submission&within=24h", "Download proof", "Save the proof"],
    ] as const) {
      const file = join(stack.folder, "proofs.json");
      await expect.poll(() => saveProofs(ada, `${stack.url}${address}`, [opens, saves], file)).toBe(0);
      await writeFile(published, stack.output());
      const { stdout } = await promisify(execFile)(process.execPath, [verifier, file, published]);
      expect(stdout).toMatch(/([1-9]\d*) of \1 entries are verified/);
      const forged = JSON.parse(await readFile(file, "utf8"));
      (forged.audit ?? forged.platforms[0]).entries[0].entry.actor = "somebody-else";
      await writeFile(file, JSON.stringify(forged));
      await expect(promisify(execFile)(process.execPath, [verifier, file, published])).rejects.toThrow();
    }

    for (const { urls, titles, faults } of seen) {
      for (const place of [...urls, ...titles]) expect(place).not.toMatch(personal);
      expect(faults).toEqual([]);
    }
    expect(stack.output()).not.toMatch(personal);
  });

  async function signInAll() {
    const enter = async (name: string) => {
      const page = await world.page();
      await signIn(page, world.stack.url, name);
      return page;
    };
    return {
      cleo: await enter("Cleo Compliance"),
      cora: await enter("Cora Compliance"),
      omar: await enter("Omar Operator"),
      ada: await enter("Ada Administrator"),
    };
  }
});

async function proposeApproval(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Enter the decision" }).click();
  await page.getByRole("radio", { name: /^Approved/ }).check();
  await page.getByText("It is bound to the evidence that you have opened").waitFor();
  await page
    .getByRole("region", { name: "Decision" })
    .getByLabel("Note")
    .fill("The provider approved it by telephone.");
  await page.getByRole("button", { name: "Propose the approval" }).click();
  await page.getByText("The approval is proposed.").waitFor();
}

async function confirm(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Confirm…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Confirm" }).click();
}

/** Saves a file with proofs, and returns the number of its entries that no checkpoint covers yet. */
async function saveProofs(
  page: Page,
  address: string,
  [opens, saves]: readonly [string, string],
  to: string,
): Promise<number> {
  await page.goto(address);
  await page.getByRole("button", { name: opens }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: saves }).click(),
  ]);
  await download.saveAs(to);
  const { audit, platforms = [audit] } = JSON.parse(await readFile(to, "utf8"));
  const entries: { checkpoint: number | null }[] = platforms.flatMap((one: typeof audit) => one.entries);
  return entries.filter(({ checkpoint }) => checkpoint === null).length;
}
