import { Failure, type KeyFacts, type ShownRecord } from "@cardbridge/domain";
import { describe, expect, it } from "vitest";
import { describeError, isUsageError } from "../../src/cli/describe-error.ts";
import { formatDuration } from "../../src/cli/duration.ts";
import { parseExpiry } from "../../src/cli/keys/expiry.ts";
import { formatState as formatKeyState, formatLastUse } from "../../src/cli/keys/format.ts";
import { listReport as keyListReport } from "../../src/cli/keys/list.ts";
import { askReport } from "../../src/cli/records/ask.ts";
import { formatNext, formatStatus } from "../../src/cli/records/format.ts";
import { listReport } from "../../src/cli/records/list.ts";
import { resendReport } from "../../src/cli/records/resend.ts";
import { showReport } from "../../src/cli/records/show.ts";
import { formatTable } from "../../src/cli/table.ts";

const second = 1_000;
const hour = 3_600 * second;
const readAt = new Date("2026-01-31T12:00:00Z");
const at = (offset: number) => new Date(readAt.getTime() + offset).toISOString();
const record: ShownRecord = {
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
  readAt: at(0),
  externalUserId: "usr_1",
  status: null,
  subStatus: null,
  cardAccountId: null,
  revision: null,
  explanation: null,
  history: [],
  deliveries: [],
};

it.each([
  [0, "0 s"],
  [59.9 * second, "59 s"],
  [3.5 * 60 * second, "3 m"],
  [2 * hour, "2 h"],
  [2 * hour + 10 * 60 * second, "2 h 10 m"],
  [23.99 * hour, "23 h 59 m"],
  [4.9 * 24 * hour, "4 d"],
  [-5 * second, "0 s"],
])("%d ms are formatted as %s", (millis, text) => {
  expect(formatDuration(millis)).toBe(text);
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
    expect(formatTable(rows, columns, width)).toBe(text);
  });
});

it.each<[Partial<ShownRecord>, string]>([
  [{}, "ask in 12 s"],
  [{ step: "send", dueAt: at(-1) }, "send now"],
  [{ leaseUntil: at(second) }, "under way"],
  [{ leaseUntil: at(-second) }, "ask in 12 s"],
  [{ heldAt: at(-hour), dueAt: null }, "operator"],
  [{ heldAt: at(-hour), dueAt: null, leaseUntil: at(second) }, "under way"],
  [{ dueAt: null }, "nothing"],
])("what is next: %o is %s", (changes, text) => {
  expect(formatNext({ ...record, ...changes })).toBe(text);
});

it("a status comes with the provider's raw status only where that is another word", () => {
  const answered = { settlement: "answered" } as const;
  expect(formatStatus({ ...answered, status: "APPROVED", subStatus: "approved" })).toBe("APPROVED");
  expect(formatStatus({ ...answered, status: "PENDING", subStatus: "not_submitted" })).toBe(
    "PENDING (not_submitted)",
  );
  expect(formatStatus({ ...answered, status: null, subStatus: "manual_review" })).toBe(
    "no status (manual_review)",
  );
  expect(formatStatus({ settlement: "refused", status: null, subStatus: null })).toBe("refused");
});

it.each([
  [{ stuck: true, platformId: undefined }, "No record is stuck."],
  [{ stuck: false, platformId: "plt_1" }, "No record of plt_1 waits."],
])("an empty list is a sentence: %o", (query, text) => {
  expect(listReport({ records: [], more: false }, query).text).toBe(text);
});

it("a list that has more says so", () => {
  const report = listReport({ records: [record], more: true }, { stuck: false, platformId: undefined });
  expect(report.text).toContain("There are more: raise --limit.");
  expect(report.document).toMatchObject({ more: true });
});

it("a held record is shown with what to do", () => {
  const { text } = showReport({ ...record, heldAt: at(-hour), dueAt: null, notFound: 2 });
  expect(text).toContain("held       for 1 h: ask, resend or settle it");
  expect(text).toContain("tries      3, and the provider did not know it 2 times in a row");
  expect(text).not.toContain("next");
});

describe("an operator's attempt", () => {
  const before: ShownRecord = { ...record, heldAt: at(-hour), dueAt: null };
  const rejected = { settlement: "answered", status: "REJECTED", subStatus: "rejected" } as const;
  const after: ShownRecord = { ...record, ...rejected };
  const answered = { outcome: "answered", subStatus: "rejected", cardAccountId: null, revision: 2 } as const;
  const unknown = { outcome: "unknown", reason: "connection-refused" } as const;

  it("reports what the provider replied and what changed", () => {
    const attempt = { before, after, asked: { outcome: "not-found" } as const, sent: answered };
    const { text, problem } = resendReport(attempt);
    expect(text).toBe(
      "The provider does not know it. It was sent again. The provider has it: rejected.\n" +
        "kyc_1: unsettled, held -> REJECTED",
    );
    expect(problem).toBeUndefined();
  });

  it("warns when a final status was replaced by another one", () => {
    const approved = { ...after, status: "APPROVED", subStatus: "approved" } as const;
    expect(askReport({ before: approved, after, asked: answered, sent: null }).text).toContain(
      "look into it",
    );
    expect(askReport({ before, after, asked: answered, sent: null }).text).not.toContain("look into it");
  });

  it("is a problem when there is no answer or it was not stored", () => {
    expect(resendReport({ before, after: before, asked: unknown, sent: null })).toMatchObject({
      text: "",
      problem:
        "The provider gave no usable answer: nothing listens at its address (connection-refused). Nothing was sent. " +
        "The record is unsettled, held.",
    });
    expect(askReport({ before, after: null, asked: answered, sent: null }).problem).toBe(
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
    createdAt: at(-hour),
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
  };
  const soon = at(2 * hour);

  it.each<[Partial<KeyFacts>, string]>([
    [{}, "live"],
    [{ expiresAt: soon }, "expires in 2 h"],
    [{ state: "expired", expiresAt: soon }, "expired"],
    [{ state: "revoked", expiresAt: soon }, "revoked"],
  ])("%o is shown as: %s", (changes, text) => {
    expect(formatKeyState({ ...key, ...changes }, readAt)).toBe(text);
  });

  it("was last used some time ago, or never", () => {
    expect(formatLastUse(key, readAt)).toBe("never");
    expect(formatLastUse({ ...key, lastUsedAt: at(-hour) }, readAt)).toBe("1 h ago");
  });

  it("is listed with its platform, unless that was asked for", () => {
    const page = { keys: [key], more: false };
    expect(keyListReport(page, undefined, readAt).text).toMatch(/PLATFORM\n.* plt_1$/);
    expect(keyListReport(page, "plt_1", readAt).text).not.toContain("PLATFORM");
    expect(keyListReport({ keys: [], more: false }, undefined, readAt).text).toBe("There is no key.");
  });

  it.each([
    ["1", at(24 * hour)],
    ["90", at(90 * 24 * hour)],
    ["2027-01-31", "2027-02-01T00:00:00.000Z"],
    ["never", null],
  ])("that is to expire %s expires at %s", (text, moment) => {
    expect(parseExpiry(text, readAt)).toEqual({ at: moment });
  });

  it.each(["", "0", "-1", "1.5", "2027-02-30", "31.1.2027", "tomorrow", "99999"])(
    "cannot expire %j",
    (text) => {
      expect(() => parseExpiry(text, readAt)).toThrow("Give a number of days");
    },
  );
});

describe("a failure of an operation", () => {
  const violations = [
    { path: ["scopes", 0], rule: "enum", message: "Send one." },
    { path: ["scopes", 1], rule: "enum", message: "Send one." },
    { path: ["name"], rule: "required", message: "This field is required." },
  ];

  it("names the wrong options of a wrong input, each once", () => {
    const failure = new Failure("INVALID_INPUT", { violations });
    expect(describeError(failure)).toBe("--scopes: Send one.\nname: This field is required.");
    expect(isUsageError(failure)).toBe(true);
  });

  it("is its message otherwise, or a more useful one", () => {
    expect(describeError(new Failure("KEY_NOT_FOUND"))).toBe("There is no such API key.");
    expect(describeError(new Failure("KEY_CONFLICT", { violations }))).toBe(
      "Send one.\nThis field is required.",
    );
    expect(isUsageError(new Failure("KEY_CONFLICT"))).toBe(false);
    expect(describeError(new Failure("SERVICE_UNAVAILABLE"))).toContain("became unavailable");
  });
});
