import { Failure, type KeyFacts, type KycFile, type KycJob } from "@cardbridge/domain";
import { describe, expect, it } from "vitest";
import { inWords, isWrongUsage } from "../src/cli/in-words.ts";
import { expiry } from "../src/cli/keys/expiry.ts";
import { listReport as keyListReport } from "../src/cli/keys/list.ts";
import { stateOf as keyStateOf, lastUse } from "../src/cli/keys/words.ts";
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
  const yes = { outcome: "answered", subStatus: "rejected", cardAccountId: null, revision: 2 } as const;
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
        "The provider gave no usable answer: nothing listens at its address (connection-refused). Nothing was sent. " +
        "The record is unsettled, held.",
    });
    expect(askReport({ before, after: null, asked: yes, sent: null }).problem).toBe(
      "The provider has it: rejected. This could not be stored: ask again.",
    );
  });
});

describe("a key", () => {
  const key: KeyFacts = {
    keyId: "key_1",
    platformId: "plt_1",
    name: "backend",
    prefix: "cb_live_abcd",
    scopes: ["cards:read"],
    state: "live",
    createdAt: at(-hour).toISOString(),
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
  };
  const soon = at(2 * hour).toISOString();

  it.each<[Partial<KeyFacts>, string]>([
    [{}, "live"],
    [{ expiresAt: soon }, "expires in 2 h"],
    [{ state: "expired", expiresAt: soon }, "expired"],
    [{ state: "revoked", expiresAt: soon }, "revoked"],
  ])("%o is said to be: %s", (changes, said) => {
    expect(keyStateOf({ ...key, ...changes }, readAt)).toBe(said);
  });

  it("was last used some time ago, or never", () => {
    expect(lastUse(key, readAt)).toBe("never");
    expect(lastUse({ ...key, lastUsedAt: at(-hour).toISOString() }, readAt)).toBe("1 h ago");
  });

  it("is listed with its platform, unless that was asked for", () => {
    const page = { keys: [key], more: false };
    expect(keyListReport(page, undefined, readAt).text).toMatch(/PLATFORM\n.* plt_1$/);
    expect(keyListReport(page, "plt_1", readAt).text).not.toContain("PLATFORM");
    expect(keyListReport({ keys: [], more: false }, undefined, readAt).text).toBe("There is no key.");
  });

  it.each([
    ["1", at(24 * hour).toISOString()],
    ["90", at(90 * 24 * hour).toISOString()],
    ["2027-01-31", "2027-02-01T00:00:00.000Z"],
    ["never", null],
  ])("that is to expire %s expires at %s", (text, moment) => {
    expect(expiry(text, readAt)).toEqual({ at: moment });
  });

  it.each(["", "0", "-1", "1.5", "2027-02-30", "31.1.2027", "tomorrow", "99999"])(
    "cannot expire %j",
    (text) => {
      expect(() => expiry(text, readAt)).toThrow("Give a number of days");
    },
  );
});

describe("a failure of an operation", () => {
  const violations = [
    { path: ["scopes", 0], rule: "enum", message: "Send one." },
    { path: ["scopes", 1], rule: "enum", message: "Send one." },
    { path: ["name"], rule: "required", message: "This field is required." },
  ];

  it("is said option by option where the input is wrong, and once", () => {
    const failure = new Failure("INVALID_INPUT", { violations });
    expect(inWords(failure)).toBe("--scopes: Send one.\nname: This field is required.");
    expect(isWrongUsage(failure)).toBe(true);
  });

  it("is its message otherwise, or what there is to say beyond it", () => {
    expect(inWords(new Failure("KEY_NOT_FOUND"))).toBe("There is no such API key.");
    expect(inWords(new Failure("KEY_CONFLICT", { violations }))).toBe("Send one.\nThis field is required.");
    expect(isWrongUsage(new Failure("KEY_CONFLICT"))).toBe(false);
    expect(inWords(new Failure("SERVICE_UNAVAILABLE"))).toContain("went away");
  });
});
