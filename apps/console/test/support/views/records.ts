import { type DocumentRequest, type ExplainedRecord, explainRecord } from "@cardbridge/domain";
import type { Page } from "playwright-core";
import { change, refuse } from "../answers.ts";
import { dialog } from "../people.ts";
import type { Seeded } from "../seed.ts";
import { fourEyesOff, opens, press, typed, type View } from "./view.ts";

const queue = { path: "/queue", shows: "tr[data-record]", tab: "Needs attention" };
const stuck = ({ stuck: { kycRecordId } }: Seeded) => `/records/${kycRecordId}`;
const undecided = ({ undecided: { kycRecordId } }: Seeded) => `/records/${kycRecordId}`;
const rejected = ({ rejected: { kycRecordId } }: Seeded) => `/records/${kycRecordId}`;
const record = { path: stuck, shows: "text=Open evidence" };
const decision = { path: undecided, shows: "text=Enter the decision" };
const submitted = "ol >> text=Submitted by the platform";
const pictures = (page: Page) => page.locator("img[src^='blob:']");

async function askForEvidence(page: Page) {
  await page.getByRole("radio", { name: "For a review", exact: true }).check();
  await press(page, "Open evidence");
}
async function openEvidence(page: Page) {
  await askForEvidence(page);
  await pictures(page).nth(1).waitFor();
}
/** Enters a decision with its note. An approval needs that the evidence is open. */
async function enter(page: Page, outcome: string) {
  if (outcome === "Approved") await openEvidence(page);
  await press(page, "Enter the decision");
  await page.getByRole("radio", { name: new RegExp(`^${outcome}`) }).check();
  await page.getByRole("region", { name: "Decision" }).getByLabel("Note").fill(typed);
}
const days = (from: number) => new Date(Date.now() + from * 86_400_000).toISOString();
const inReview = { resolution: "answered", status: "PENDING_APPROVAL", needsAttentionSince: null } as const;

/** Shows a record in review whose provider asks for a document. */
function asked(request: Partial<DocumentRequest>): View {
  const { documentType = "BANK_STATEMENT", requestedAt = days(-4), dueAt = days(10), ...state } = request;
  const base = { documentRequestId: "dreq_01jexample0000000000000001", documentType, requestedAt, dueAt };
  const accepts: DocumentRequest["accepts"] = [{ documentType, filePurpose: "supporting_document" }];
  const first = { ...base, accepts, reason: null, status: "open", answeredAt: null, sentAt: null } as const;
  const earlier: DocumentRequest = {
    ...{ ...first, documentRequestId: "dreq_01jexample0000000000000000", documentType: "SELFIE" },
    ...{ requestedAt: days(-6), dueAt: null, status: "closed", answeredAt: days(-5), sentAt: days(-5) },
    reason: { code: "SELFIE_UNREADABLE", message: "Send a sharp selfie." },
  };
  const shown: DocumentRequest = { ...first, ...state };
  const requestHistory = [earlier, shown].flatMap((one) => [
    { ...one, status: "open", source: "event", observedAt: one.requestedAt },
    ...(one.answeredAt === null
      ? []
      : [{ ...one, status: "answered", source: "submission", observedAt: one.answeredAt }]),
  ]);
  return {
    path: ({ pending }) => `/records/${pending.kycRecordId}`,
    shows: submitted,
    before: (page) =>
      change<ExplainedRecord>(page, "records.get", (record) => {
        const after = { ...record, ...inReview, requests: [earlier, shown], requestHistory };
        return { ...after, next: explainRecord(after, []) };
      }),
  };
}

/** Shows an approval whose document expires. */
function approval(state: Pick<ExplainedRecord, "documentExpiry" | "renewal">): View {
  const expiryHistory = [{ documentExpiry: "expiring", observedAt: days(-60) }];
  if (state.documentExpiry === "expired")
    expiryHistory.push({ documentExpiry: "expired", observedAt: days(-1) });
  return {
    path: ({ pending }) => `/records/${pending.kycRecordId}`,
    shows: "ol >> text=The document expires soon",
    before: (page) =>
      change<ExplainedRecord>(page, "records.get", (record) => {
        const after = { ...record, ...inReview, status: "APPROVED" as const, ...state, expiryHistory };
        return { ...after, next: explainRecord(after, []) };
      }),
  };
}
const renewal: ExplainedRecord["renewal"] = {
  kycRecordId: "kyc_01jexample0000000000000000",
  resolution: "answered",
  status: "PENDING_APPROVAL",
  replaces: false,
  createdAt: days(0),
};

/** Makes the sign-in of the person too old for acts that need a recent one. */
const oldSignIn = (page: Page) =>
  change<object>(page, "persons.me", (me) => ({ ...me, signInRequiredAt: null }));

/** The queue, records with their evidence and decisions, and what all views have in common. */
export const recordViews: Record<string, View> = {
  queue,
  "queue with a filter open": {
    ...{ path: "/queue?tab=open", shows: "tr[data-record]", tab: "Open" },
    act: async (page) => {
      await press(page, "Filters");
      await page.getByRole("combobox", { name: /Reason/ }).click();
      await page.getByRole("option", { name: "name differs" }).waitFor();
    },
  },
  "all records, newest first": {
    ...{ path: "/queue?order=newest&tab=all", shows: "tr[data-record]", tab: "All" },
  },
  "queue without records": { path: "/queue?tab=all&reason=UNDER_AGE", shows: "text=No record matches" },
  "queue with an error": {
    ...{ path: "/queue", shows: "[role=alert]" },
    before: (page) => refuse(page, "records.search", 500, "INTERNAL_ERROR"),
  },
  "queue with its keys": { ...queue, act: (page) => page.keyboard.press("?") },
  "queue that is requeued": {
    ...queue,
    act: async (page) => {
      await press(page, "Requeue all…");
      await dialog(page)
        .getByText(/need attention/)
        .last()
        .waitFor();
    },
  },
  "menu of the person": { ...queue, act: (page) => press(page, "account and appearance") },
  "queue of records that wait for a document": {
    ...{ path: "/queue?tab=requested", shows: "text=the provider asks for", tab: "Asked for a document" },
    before: async (page, { call }) => {
      const { records } = await call<{ records: object[] }>("cleo", "records.search", { limit: 1 });
      const row = { ...records[0], ...inReview, requested: ["BANK_STATEMENT", "SELFIE"] };
      await change<object>(page, "records.search", (found) => ({ ...found, records: [row] }));
    },
  },
  "queue without records that wait for a document": {
    ...{ path: "/queue?tab=requested", shows: "text=No document is missing" },
  },
  "queue of approvals whose document has expired": {
    ...{ path: "/queue?tab=all&document=expired", shows: "text=document has expired", tab: "All" },
    before: async (page, { call }) => {
      const { records } = await call<{ records: object[] }>("cleo", "records.search", { limit: 2 });
      const row = { ...inReview, status: "APPROVED", documentExpiry: "expired", requested: [] };
      const rows = records.map((record) => ({ ...record, ...row }));
      await change<object>(page, "records.search", (found) => ({ ...found, records: rows }));
      const documentExpiry = { expiring: { count: 1_240, more: false }, expired: { count: 2, more: false } };
      await change<object>(page, "records.counts", (counts) => ({ ...counts, documentExpiry }));
    },
    act: async (page) => {
      await press(page, "Filters");
      await page.getByRole("combobox", { name: /Document/ }).click();
      await page.getByRole("option", { name: "expires soon (1,240)" }).waitFor();
    },
  },
  "address that leads nowhere": { path: "/nowhere", shows: "text=There is nothing here" },
  "record that needs attention": { path: stuck, shows: submitted },
  "record that is rejected": { path: rejected, shows: submitted },
  "record that two persons approved": {
    path: ({ approved }) => `/records/${approved.kycRecordId}`,
    shows: "h1 >> text=manually",
  },
  "record whose provider asks for a document": asked({}),
  "record whose answer the provider does not have": asked({ status: "answered", answeredAt: days(-1) }),
  "record with an overdue request": asked({ dueAt: days(-1) }),
  "record with a request that no file answers": asked({ documentType: "SOURCE_OF_FUNDS", accepts: [] }),
  "record whose document has expired": approval({ documentExpiry: "expired", renewal: null }),
  "record whose renewal is under way": approval({ documentExpiry: "expiring", renewal }),
  "record that does not exist": { path: "/records/kyc_none", shows: "text=No such record" },
  "record that support sees": { as: "sam", path: stuck, shows: "text=Compliance opens what" },
  "record that support hands over": {
    ...{ as: "sam", path: undecided, shows: "text=enters the decision" },
    act: opens("Hand over"),
  },

  "evidence with the pages of a PDF and a turned picture": {
    ...record,
    act: async (page) => {
      await openEvidence(page);
      await page.getByRole("combobox", { name: /^Picture 2/ }).click();
      await page.getByRole("option", { name: "Utility bill" }).click();
      await press(page, "Next page: Utility bill");
      const front = page.getByRole("group", { name: "Document, front" });
      for (const key of ["r", "+", "+"]) await front.press(key);
      await page.getByText("Page 2 of 10").waitFor();
      await page.getByText("at files.example.com").first().waitFor();
    },
  },
  "evidence with the file of an answer": {
    ...record,
    before: (page) =>
      change<{ files: { documentType: string | null }[] }>(
        page,
        "records.submission",
        ({ files, ...opened }) => ({
          ...opened,
          files: files.map((file) =>
            file.documentType === "UTILITY_BILL" ? { ...file, field: "requests/dreq_1/0" } : file,
          ),
        }),
      ),
    act: async (page) => {
      await openEvidence(page);
      await page.getByRole("combobox", { name: /^Picture 2/ }).click();
      await page.getByRole("option", { name: "Utility bill, on request" }).click();
      await page.getByText("Page 1 of 10").waitFor();
    },
  },
  "evidence that is gone": {
    ...record,
    before: (page) =>
      change<{ files: object[] }>(page, "records.submission", (opened) => ({
        ...opened,
        files: opened.files.map((file) => ({ ...file, contentType: null, sha256: null })),
      })),
    act: async (page) => {
      await askForEvidence(page);
      await page.getByText("no longer stored").first().waitFor();
    },
  },
  "evidence of an erased user": {
    ...record,
    before: (page) =>
      change<object>(page, "records.submission", (opened) => ({ ...opened, files: [], submission: null })),
    act: async (page) => {
      await askForEvidence(page);
      await page.getByText("Nothing is left to show").waitFor();
    },
  },
  "evidence whose pictures fail": {
    ...record,
    before: (page) => refuse(page, "records.submissionFile", 500, "INTERNAL_ERROR"),
    act: async (page) => {
      await askForEvidence(page);
      await page.getByText("Something went wrong on our side").nth(1).waitFor();
    },
  },
  "evidence that cannot be opened": {
    ...record,
    before: (page) => refuse(page, "records.submission", 503, "SERVICE_UNAVAILABLE"),
    act: async (page) => {
      await askForEvidence(page);
      await page.getByText("It is not possible now.").waitFor();
    },
  },
  "restricted reasons": {
    ...{ path: rejected, shows: "text=Show restricted reasons" },
    before: (page) =>
      change<object>(page, "records.restrictedReasons", (answer) => ({
        ...answer,
        reasons: [{ reason: "WATCH_LIST_MATCH", observedAt: new Date().toISOString() }],
      })),
    act: async (page) => {
      await press(page, "Show restricted reasons");
      await page.getByText("match on a watch list").waitFor();
    },
  },

  "decision: an approval": { ...decision, act: (page) => enter(page, "Approved") },
  "decision: a rejection that misses its reasons": {
    ...decision,
    act: async (page) => {
      await enter(page, "Rejected");
      await page.getByText("First choose at least one reason").waitFor();
    },
  },
  "decision: a rejection that asks for the word": {
    ...decision,
    act: async (page) => {
      await enter(page, "Rejected");
      await page.getByLabel("Document not readable").check();
      await opens("Reject…")(page);
    },
  },
  "decision: a conflict": {
    ...decision,
    before: (page) => refuse(page, "records.resolve", 409, "PROPOSAL_CONFLICT", "open"),
    act: async (page) => {
      await enter(page, "Approved");
      await press(page, "Propose the approval");
      await page.getByText("Show the new state").waitFor();
    },
  },
  "evidence that needs a recent sign-in": {
    ...{ path: undecided, shows: "text=Sign in again" },
    before: oldSignIn,
  },
  "decision: an approval by one person": {
    ...decision,
    before: fourEyesOff,
    act: async (page) => {
      await enter(page, "Approved");
      await opens("Approve…")(page);
    },
  },
  "decision: a proposal is made": {
    ...decision,
    act: async (page) => {
      await enter(page, "Approved");
      await press(page, "Propose the approval");
      await page.getByText("The approval is proposed.").waitFor();
    },
  },
};
