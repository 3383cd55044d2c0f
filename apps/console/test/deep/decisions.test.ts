import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { change, refuse, restore } from "../support/answers.ts";
import { describeInBrowser, dialog, focusInDialog, openEvidence, press, watch } from "../support/people.ts";
import { proposeApproval, submitStuck } from "../support/seed.ts";

async function enter(page: Page, outcome: string) {
  await press(page, "Enter the decision");
  await page.getByRole("radio", { name: new RegExp(`^${outcome}`) }).check();
}

describeInBrowser("decisions and proposals", (world) => {
  const goTo = async (memberId: string) => {
    const { kycRecordId } = await submitStuck(world, memberId);
    const page = await world.page("cleo");
    await page.goto(`${world.stack.url}/records/${kycRecordId}`);
    await page.getByRole("button", { name: "Enter the decision" }).waitFor();
    return { page, kycRecordId };
  };
  const stateOf = async (kycRecordId: string) => {
    const record = await world.call<Record<string, unknown>>("cleo", "records.get", { kycRecordId });
    return record;
  };

  const note = (page: Page) => page.getByRole("region", { name: "Decision" }).getByLabel("Note");

  it("decisions without the evidence are about the record as it is shown, need a note, and are no approvals", async () => {
    const { page, kycRecordId } = await goTo("in-review");
    await enter(page, "Approved");
    await page.getByText("First open the evidence, write a note.").waitFor();
    await page.getByRole("heading", { level: 1 }).click();
    await page.keyboard.press("d");
    await page.locator("input[type=radio]:focus").waitFor();
    await page.getByRole("radio", { name: /^In review/ }).check();
    await page.getByText("You have not opened the evidence.").waitFor();
    expect(await page.getByRole("button", { name: "Store the decision" }).isEnabled()).toBe(false);
    await note(page).fill("They told us on the telephone.");
    await page.keyboard.press("Control+Enter");
    await page.getByText("Stored: Needs attention → In review").waitFor();
    expect(await stateOf(kycRecordId)).toMatchObject({ status: "PENDING_APPROVAL" });
    await page.getByRole("listitem").filter({ hasText: "They told us on the telephone." }).waitFor();
  });

  it("decisions reject only with a reason and the word", async () => {
    const { page, kycRecordId } = await goTo("turned-down");
    await enter(page, "Rejected");
    await note(page).fill("They told us on the telephone.");
    await page.getByText("First choose at least one reason.").waitFor();
    await page.getByLabel("Document not readable").check();
    await page.getByLabel("Name differs").check();
    await page.getByLabel("Final: another submission").check();
    await press(page, "Reject…");
    await dialog(page).getByText("is told at once with the reasons").waitFor();
    await dialog(page).getByLabel("Type REJECT to confirm").fill("reject");
    await page.keyboard.press("Enter");
    expect(await stateOf(kycRecordId)).toMatchObject({ resolution: "unresolved" });
    await dialog(page).getByLabel("Type REJECT to confirm").fill("REJECT");
    await page.keyboard.press("Enter");
    await page.getByText("Stored: Needs attention → Rejected").waitFor();
    const reasons = ["DOCUMENT_UNREADABLE", "NAME_MISMATCH"].map((code) => ({ code, field: null }));
    expect(await stateOf(kycRecordId)).toMatchObject({ explanation: { reasons, final: true } });
  });

  it("decisions say who has opened the evidence, and keep what was entered after a conflict", async () => {
    const { page, kycRecordId } = await goTo("conflict");
    await world.call("cora", "records.submission", { kycRecordId, purpose: "fraud" });
    await openEvidence(page);
    await page.keyboard.press("Escape");
    await enter(page, "Approved");
    const form = page.getByRole("region", { name: "Decision" });
    await form.getByText("It is bound to the evidence that you have opened.").waitFor();
    await form.getByText("Cora Compliance · suspected fraud").waitFor();
    await form.getByText("Cleo Compliance · review").waitFor();
    await page.getByLabel("Card account").fill("acct_7f3a");
    await note(page).fill("They told us on the telephone.");

    await refuse(page, "records.resolve", 409, "KYC_RECORD_CONFLICT");
    await press(page, "Propose the approval");
    await page.getByText("It is not possible now.").waitFor();
    restore(page);
    await press(page, "Show the new state");
    expect(await page.getByLabel("Card account").inputValue()).toBe("acct_7f3a");

    await refuse(page, "records.resolve", 401, "SIGN_IN_TOO_OLD");
    await press(page, "Propose the approval");
    await page.getByText("This step needs a sign-in of the last 15 minutes.").waitFor();
    await page.getByRole("button", { name: "Sign in again" }).waitFor();
    expect(await page.getByLabel("Card account").inputValue()).toBe("acct_7f3a");
    restore(page);
    expect(await stateOf(kycRecordId)).toMatchObject({ resolution: "unresolved" });
  });

  it("evidence asks for a recent sign-in of whoever may decide", async () => {
    const { kycRecordId } = await submitStuck(world, "old-sign-in");
    const page = await world.page("cleo");
    await change<object>(page, "persons.me", (me) => ({ ...me, signInRequiredAt: null }));
    await page.goto(`${world.stack.url}/records/${kycRecordId}`);
    await page.getByText("This step needs a sign-in of the last 15 minutes.").waitFor();
    await page.getByRole("radio", { name: "For a review", exact: true }).check();
    expect(await page.getByRole("button", { name: "Open evidence" }).isEnabled()).toBe(false);
  });

  /** Opens a record whose approval Cora proposed as Cleo, who has opened the evidence too. */
  const goToProposal = async (memberId: string) => {
    const { kycRecordId } = await submitStuck(world, memberId);
    await world.call("cleo", "records.submission", { kycRecordId, purpose: "review" });
    await proposeApproval(world, kycRecordId, "cora");
    const page = await world.page("cleo");
    const path = `/records/${kycRecordId}`;
    await page.goto(world.stack.url + path);
    await page.getByRole("heading", { name: "Cora Compliance proposes to approve" }).waitFor();
    return { page, path };
  };
  const confirm = async (page: Page) => {
    await press(page, "Confirm…");
    await press(page, "Confirm");
    await dialog(page).waitFor({ state: "detached" });
  };

  it("proposals are listed for those who may confirm them, and confirmed by keyboard alone", async () => {
    const { page, path } = await goToProposal("by-keyboard");
    const { faults } = watch(page);
    await page.getByRole("link", { name: "Proposals 1 wait for you" }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("p");
    const list = page.getByRole("table", { name: "Proposals" });
    await list.getByRole("link", { name: "Approve a verification" }).press("Enter");
    await page.waitForURL(world.stack.url + path);
    await page.getByText("You and Cora Compliance have opened the evidence.").waitFor();
    await page.getByRole("button", { name: "Confirm…" }).press("Enter");
    await dialog(page).getByText("becomes approved, and Demo").waitFor();
    await focusInDialog(page);
    await dialog(page).getByRole("button", { name: "Confirm" }).press("Enter");
    await page.getByText("Confirmed. It is done.").waitFor();
    await page.getByRole("link", { name: /^Proposals \d/ }).waitFor({ state: "detached" });
    expect(faults).toEqual([]);
  });

  it("proposals that are refused say what to do, or who has to open the evidence", async () => {
    const { page } = await goToProposal("refused");
    for (const [rule, text] of [
      ["changed", "so the proposal is void. Nothing was changed."],
      ["expired", "It expired before you confirmed it. Nothing was changed."],
      ["decided", "Somebody decided it a moment ago."],
      ["same-person", "You proposed it, so you cannot confirm it."],
      ["evidence-not-opened", "You have not opened the evidence as it is now."],
    ] as const) {
      await refuse(page, "proposals.confirm", 409, "PROPOSAL_CONFLICT", rule);
      await confirm(page);
      await page.getByText(text).waitFor();
      restore(page);
    }
    await change<{ proposals: object[] }>(page, "proposals.list", (list) => ({
      ...list,
      proposals: list.proposals.map((one) => ({
        ...one,
        evidenceOpened: { proposer: false, caller: true },
      })),
    }));
    await page.reload();
    await page.getByText("You have opened the evidence, and Cora Compliance has not.").waitFor();
    expect(await page.getByRole("button", { name: "Confirm…" }).isEnabled()).toBe(false);
  });
});
