import type { Page } from "playwright-core";
import type { View } from "./check-view.ts";
import { type FakeState, Refusal } from "./procedures.ts";
import { personWith } from "./rows.ts";
import { createHold } from "./user-acts.ts";

/** A name that may be marked as one of the words; see pseudo-build.ts. */
const named = (name: string) => new RegExp(`^⟦?${name.replace(": ", "⟧?: ⟦?")}⟧?$`);
const press = (page: Page, name: string) => page.getByRole("button", { name: named(name) }).click();
const askForEvidence = async (page: Page) => {
  await page.getByLabel("For a review").check();
  await press(page, "Open evidence");
};
const openEvidence = async (page: Page) => {
  await askForEvidence(page);
  await page.locator("img[src^='blob:']").nth(1).waitFor();
};
/** What a person types: no word of the console, and no answer of the service. */
export const typedNote = "They told us on the telephone.";
/** Enters a decision. An approval needs that the evidence is open, and a note. */
const enter = async (page: Page, outcome: string) => {
  if (outcome === "Approved") await openEvidence(page);
  await press(page, "Enter the decision");
  await page.getByRole("radio", { name: new RegExp(`^⟦?${outcome}`) }).check();
  if (outcome !== "Approved") return;
  await page
    .getByRole("textbox", { name: /^⟦?Note/ })
    .last()
    .fill(typedNote);
};
const open = (button: string) => async (page: Page) => {
  await press(page, button);
  await page.getByRole("dialog").waitFor();
};

/** The views of evidence, decisions, proposals and the acts on a user, in all their states. */
export function decisionViews(state: FakeState): Record<string, View> {
  const rowWith = (reason: string) =>
    state.rows.find(({ lastAttempt }) => lastAttempt?.reason === reason)?.kycRecordId ?? "none";
  const stuck = () => `/records/${rowWith("timeout")}`;
  const undecided = () => `/records/${rowWith("wrong-shape")}`;
  const rejected = () =>
    `/records/${state.rows.find(({ status }) => status === "REJECTED")?.kycRecordId ?? "none"}`;
  const user = () => `/users/${state.rows[0]?.platformId}/${state.rows[0]?.externalUserId}`;
  const proposal = (kind: string) => () =>
    `/proposals/${state.proposals.find((one) => one.kind === kind)?.proposalId}`;
  const fail = (name: string, status: number, code: string, rule?: string) => () =>
    void state.failures.set(name, new Refusal(status, code, "It is not possible now.", rule));

  const alone = () => {
    state.service.fourEyes = false;
  };
  const record = { path: stuck, shows: "text=Open evidence" };
  return {
    "evidence, closed": record,
    "evidence, open": { ...record, act: openEvidence },
    "evidence with the pages of a PDF and a turned picture": {
      ...record,
      act: async (page) => {
        await openEvidence(page);
        await page.getByRole("combobox", { name: /^⟦?Picture 2/ }).click();
        await page.getByRole("option", { name: "Utility bill" }).click();
        await press(page, "Next page: Utility bill");
        const front = page.getByRole("group", { name: "Document, front" });
        for (const key of ["r", "+", "+"]) await front.press(key);
        await page.getByText("Page 2 of 10").waitFor();
      },
    },
    "evidence at another host, and gone": {
      ...record,
      before: () => Object.assign(state.evidence, { elsewhere: ["selfieImageUrl"], gone: ["backImageUrl"] }),
      act: openEvidence,
    },
    "evidence of an erased user": {
      ...record,
      before: () => Object.assign(state.evidence, { erased: true }),
      act: async (page) => {
        await askForEvidence(page);
        await page.getByText("Nothing is left to show").waitFor();
      },
    },
    "evidence whose pictures fail": {
      ...record,
      before: fail("records.submissionFile", 500, "INTERNAL_ERROR"),
      act: async (page) => {
        await askForEvidence(page);
        await page.getByText("Something went wrong on our side").nth(1).waitFor();
      },
    },
    "evidence that cannot be opened": {
      ...record,
      before: fail("records.submission", 503, "SERVICE_UNAVAILABLE"),
      act: async (page) => {
        await askForEvidence(page);
        await page.getByText("It is not possible now.").waitFor();
      },
    },
    "evidence that another role opens": {
      path: stuck,
      shows: "text=Only compliance opens",
      before: () => Object.assign(state, { me: personWith("support") }),
    },
    "restricted reasons": {
      path: rejected,
      shows: "text=Show restricted reasons",
      act: async (page) => {
        await press(page, "Show restricted reasons");
        await page.getByText("match on a watch list").waitFor();
      },
    },
    "decision: an approval": {
      path: undecided,
      shows: "text=Enter the decision",
      act: (page) => enter(page, "Approved"),
    },
    "decision: a rejection that misses its reasons": {
      path: undecided,
      shows: "text=Enter the decision",
      act: async (page) => {
        await enter(page, "Rejected");
        await press(page, "Reject…");
        await page.getByText("Choose at least one reason.").waitFor();
      },
    },
    "decision: a rejection that asks for the word": {
      path: undecided,
      shows: "text=Enter the decision",
      act: async (page) => {
        await enter(page, "Rejected");
        await page.getByLabel("Document not readable").check();
        await press(page, "Reject…");
        await page.getByRole("dialog").waitFor();
      },
    },
    "decision: a conflict": {
      path: undecided,
      shows: "text=Enter the decision",
      before: fail("records.resolve", 409, "PROPOSAL_CONFLICT", "open"),
      act: async (page) => {
        await enter(page, "Approved");
        await press(page, "Propose the approval");
        await page.getByText("Look at the open proposals").waitFor();
      },
    },
    "decision: a proposal is made": {
      path: undecided,
      shows: "text=Enter the decision",
      act: async (page) => {
        await enter(page, "Approved");
        await press(page, "Propose the approval");
        await page.getByText("The approval is proposed.").waitFor();
        await page.getByText("It waits for another person.").waitFor();
      },
    },
    "decision: an old sign-in": {
      path: undecided,
      shows: "text=Enter the decision",
      before: () => Object.assign(state.me, { signInRequiredAt: null }),
      act: async (page) => {
        await press(page, "Enter the decision");
        await page.getByRole("link", { name: "Sign in again" }).waitFor();
      },
    },
    "proposals that wait": { path: () => "/proposals", shows: "text=Approve a verification" },
    "proposals that are decided": { path: () => "/proposals?tab=decided", shows: "text=Confirmed" },
    "no proposals": {
      path: () => "/proposals",
      shows: "text=Nothing waits for you",
      before: () => Object.assign(state, { proposals: [] }),
    },
    "proposals that fail": {
      path: () => "/proposals",
      shows: "[role=alert]",
      before: fail("proposals.list", 403, "ROLE_MISSING"),
    },
    "proposal of an approval": { path: proposal("approve"), shows: "text=Nothing has changed since." },
    "proposal of new identifiers": { path: proposal("relink"), shows: "text=chan.new@example.com" },
    "proposal of an erasure that asks for the word": {
      path: proposal("erase"),
      shows: "text=Confirm…",
      act: open("Confirm…"),
    },
    "proposal of one's own": {
      path: proposal("liftHold"),
      shows: "text=You proposed it",
      before: () => Object.assign(state, { holds: [createHold()] }),
    },
    "proposal that changed meanwhile": {
      path: proposal("approve"),
      shows: "text=Confirm…",
      before: () => Object.assign(state, { conflict: "changed" }),
      act: async (page) => {
        await open("Confirm…")(page);
        await press(page, "Confirm");
        await page.getByText("so the proposal is void").waitFor();
        await page.getByText(named("Void")).waitFor();
      },
    },
    "proposal that does not exist": { path: () => "/proposals/prop_none", shows: "text=No such proposal" },
    "record that two persons approved": {
      path: () => `/records/${state.rows.find(({ manual }) => manual)?.kycRecordId ?? "none"}`,
      shows: "h1 >> text=manually",
      before: () => {
        const approved = state.rows.find(({ status }) => status === "APPROVED");
        if (approved) approved.manual = true;
      },
    },
    "user who is erased": {
      path: user,
      shows: "text=This user is erased.",
      before: () => Object.assign(state, { erased: true }),
    },
    "proposal whose user is held meanwhile": {
      path: proposal("erase"),
      shows: "text=It has changed since",
      before: () => Object.assign(state, { holds: [createHold()] }),
    },
    "user with holds": {
      path: user,
      shows: "text=HKMA-2027/118",
      before: () =>
        Object.assign(state, {
          holds: [createHold(), createHold({ holdId: "hold_2", active: false, reference: "POLICE/33:a#1" })],
        }),
    },
    "user: identifiers": {
      path: user,
      shows: "text=Reveal…",
      act: async (page) => {
        await open("Reveal…")(page);
        await page.getByLabel("The person asks for it").check();
        await press(page, "Reveal");
        await page.getByText("m-20417").waitFor();
      },
    },
    "user: new identifiers": { path: user, shows: "text=Change…", act: open("Change…") },
    "user: an export": { path: user, shows: "text=Export…", act: open("Export…") },
    "user: a hold whose case has a space": {
      path: user,
      shows: "text=Place…",
      act: async (page) => {
        await open("Place…")(page);
        await page.getByLabel("Case").fill("Mr Chan");
        await page.getByText("Up to 100 letters").waitFor();
      },
    },
    "user: an erasure": { path: user, shows: "text=Erase…", act: open("Erase…") },
    "decision: an approval by one person": {
      path: undecided,
      shows: "text=Enter the decision",
      before: alone,
      act: async (page) => {
        await enter(page, "Approved");
        await open("Approve…")(page);
      },
    },
    "user: an erasure by one person": {
      path: user,
      shows: "text=Erase…",
      before: alone,
      act: open("Erase…"),
    },
    "user: new identifiers by one person": {
      path: user,
      shows: "text=Change…",
      before: alone,
      act: open("Change…"),
    },
    "user: a lifted hold by one person": {
      path: user,
      shows: "text=Lift…",
      before: () => {
        alone();
        state.holds = [createHold()];
      },
      act: open("Lift…"),
    },
    "proposals of one person": {
      path: () => "/proposals",
      shows: "text=nothing new comes here",
      before: () => {
        alone();
        state.proposals = [];
      },
    },
  };
}
