import type { KycFile, KycJob } from "@cardbridge/domain";
import { describe, expect, it } from "vitest";
import { askReport, resendReport } from "../src/cli/records/by-hand.ts";
import { listReport } from "../src/cli/records/list.ts";
import { showReport } from "../src/cli/records/show.ts";
import { next, stateOf } from "../src/cli/records/words.ts";
import { span } from "../src/cli/span.ts";
import { table } from "../src/cli/table.ts";

const second = 1_000;
const hour = 3_600 * second;
const readAt = new Date("2026-01-31T12:00:00Z");
const at = (offset: number) => new Date(readAt.getTime() + offset);
const job: KycJob = {
  kycRecordId: "kyc_1",
  platformId: "plt_1",
  settlement: "unsettled",
  attempt: 3,
  step: "ask",
  notFound: 0,
  createdAt: at(-2 * hour - 600 * second),
  dueAt: at(12 * second),
  leaseUntil: null,
  heldAt: null,
  readAt,
};
const state = { status: null, subStatus: null, cardAccountId: null, revision: null };
const fileOf = (changes: Partial<KycJob & KycFile["record"]> = {}): KycFile => ({
  record: { ...job, ...state, externalUserId: "usr_1", ...changes },
  job: { ...job, ...changes },
  history: [],
});

it.each([
  [0, "0 s"],
  [59.9 * second, "59 s"],
  [3.5 * 60 * second, "3 m"],
  [2 * hour, "2 h"],
  [2 * hour + 10 * 60 * second, "2 h 10 m"],
  [23.99 * hour, "23 h 59 m"],
  [4.9 * 24 * hour, "4 d"],
  [-5 * second, "0 s"],
])("%d ms are said as %s", (millis, said) => {
  expect(span(millis)).toBe(said);
});

describe("a table", () => {
  const rows = [{ id: "kyc_1", tries: 3, next: "ask now", of: "plt_one" }];
  const columns = [
    { title: "RECORD", value: (row: (typeof rows)[0]) => row.id },
    { title: "TRIES", value: (row: (typeof rows)[0]) => String(row.tries), right: true },
    { title: "NEXT", value: (row: (typeof rows)[0]) => row.next, optional: true },
    { title: "PLATFORM", value: (row: (typeof rows)[0]) => row.of },
  ];

  it.each([
    [80, "RECORD  TRIES  NEXT     PLATFORM\nkyc_1       3  ask now  plt_one"],
    [31, "RECORD  TRIES  PLATFORM\nkyc_1       3  plt_one"],
    [20, "RECORD  TRIES  PLAT…\nkyc_1       3  plt_…"],
  ])("of %d columns leaves out what is optional, then the ends of lines", (width, text) => {
    expect(table(rows, columns, width)).toBe(text);
  });
});

it.each<[Partial<KycJob>, string]>([
  [{}, "ask in 12 s"],
  [{ step: "send", dueAt: at(-1) }, "send now"],
  [{ leaseUntil: at(second) }, "under way"],
  [{ leaseUntil: at(-second) }, "ask in 12 s"],
  [{ heldAt: at(-hour), dueAt: null }, "a person"],
  [{ heldAt: at(-hour), dueAt: null, leaseUntil: at(second) }, "under way"],
  [{ dueAt: null }, "nothing"],
])("what is next: %o is %s", (changes, said) => {
  expect(next({ ...job, ...changes })).toBe(said);
});

it("a state is said once, and with the provider's word where that says something else", () => {
  const answered = { settlement: "answered" } as const;
  expect(stateOf({ ...answered, status: "APPROVED", subStatus: "approved" })).toBe("APPROVED");
  expect(stateOf({ ...answered, status: "PENDING", subStatus: "not_submitted" })).toBe(
    "PENDING (not_submitted)",
  );
  expect(stateOf({ ...answered, status: null, subStatus: "manual_review" })).toBe(
    "no status (manual_review)",
  );
  expect(stateOf({ settlement: "refused", status: null, subStatus: null })).toBe("refused");
});

it.each([
  [{ stuck: true, platform: undefined }, "No record is stuck."],
  [{ stuck: false, platform: "plt_1" }, "No record of plt_1 waits."],
])("an empty list is a sentence: %o", (asked, text) => {
  expect(listReport([], { ...asked, more: false }).text).toBe(text);
});

it("a list that goes on says so", () => {
  const report = listReport([job], { more: true, stuck: false, platform: undefined });
  expect(report.text).toContain("There are more: raise --limit.");
  expect(report.document).toMatchObject({ more: true });
});

it("a held record is shown with what to do", () => {
  const { text } = showReport(fileOf({ heldAt: at(-hour), dueAt: null, notFound: 2 }));
  expect(text).toContain("held       for 1 h: ask, resend or settle it");
  expect(text).toContain("tries      3, and the provider did not know it 2 times in a row");
  expect(text).not.toContain("next");
});

describe("an attempt by hand", () => {
  const before = fileOf({ heldAt: at(-hour), dueAt: null });
  const after = fileOf({ settlement: "answered", status: "REJECTED", subStatus: "rejected" });
  const yes = { outcome: "yes", subStatus: "rejected", cardAccountId: null, revision: 2 } as const;
  const unknown = { outcome: "unknown", reason: "connection-refused" } as const;

  it("tells what was said and what changed", () => {
    const came = { before, after, asked: { outcome: "not-found" } as const, sent: yes };
    const { text, problem } = resendReport(came);
    expect(text).toBe(
      "The provider does not know it. It was sent again. The provider has it: rejected.\n" +
        "kyc_1: unsettled, held -> REJECTED",
    );
    expect(problem).toBeUndefined();
  });

  it("raises the alarm when one final status gave way to another", () => {
    const approved = fileOf({ settlement: "answered", status: "APPROVED", subStatus: "approved" });
    expect(askReport({ before: approved, after, asked: yes, sent: null }).text).toContain("look into it");
    expect(askReport({ before, after, asked: yes, sent: null }).text).not.toContain("look into it");
  });

  it("is a problem when nothing was learned or stored", () => {
    expect(resendReport({ before, after: before, asked: unknown, sent: null })).toMatchObject({
      text: "",
      problem:
        "The provider gave no answer: nothing listens at its address (connection-refused). Nothing was sent. " +
        "The record is unsettled, held.",
    });
    expect(askReport({ before, after: null, asked: yes, sent: null }).problem).toBe(
      "The provider has it: rejected. This could not be stored: ask again.",
    );
  });
});
