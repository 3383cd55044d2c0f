import { explainRecord, showReply } from "@cardbridge/domain";
import { describe, expect, it } from "vitest";
import { effectOf, shownError } from "../../src/web/api/problem.ts";
import { attemptLines } from "../../src/web/lib/reply.ts";
import { stateOf, whyOf } from "../../src/web/lib/why.ts";
import { isFiltered, toSearchInput, validateQueueSearch } from "../../src/web/queue/filter.ts";
import { rowFields } from "../../src/web/queue/patch-row.ts";

const now = Date.parse("2026-01-31T12:00:30.500Z");

describe("the filters in the address", () => {
  it("are dropped one by one if they are not valid", () => {
    const raw = {
      tab: "open",
      status: "BOGUS",
      document: "valid",
      within: "24h",
      assignee: "a@b.example",
      page: 3,
      order: "newest",
    };
    expect(validateQueueSearch(raw)).toEqual({ tab: "open", within: "24h", order: "newest" });
  });

  it("become the input of the search", () => {
    expect(toSearchInput({}, now)).toEqual({ needsAttention: true, order: "oldest" });
    expect(toSearchInput({ tab: "open", assignee: "me", platform: "plt_1", within: "1h" }, now)).toEqual({
      open: true,
      assignee: "me",
      platformIds: ["plt_1"],
      createdAfter: "2026-01-31T11:00:00.000Z",
      order: "oldest",
    });
    expect(toSearchInput({ tab: "requested" }, now)).toEqual({ requested: true, order: "oldest" });
    expect(toSearchInput({ tab: "all", document: "expired" }, now)).toEqual({
      documentExpiry: "expired",
      order: "oldest",
    });
    expect(toSearchInput({ tab: "all", status: "refused" }, now)).toEqual({
      resolution: "refused",
      order: "oldest",
    });
  });

  it("count as set only beyond the tab and the order", () => {
    expect(isFiltered({ tab: "all", order: "newest" })).toBe(false);
    expect(isFiltered({ reason: "OTHER" })).toBe(true);
  });
});

const row = {
  resolution: "unresolved" as const,
  status: null,
  subStatus: null,
  reasons: [],
  requested: [],
  documentExpiry: null,
  needsAttentionSince: null,
  lastAttempt: null,
};

describe("why a record is in the queue", () => {
  it.each([
    [{}, "waits for its first attempt"],
    [
      { lastAttempt: { words: "the provider did not answer in time", count: 8 } },
      "the provider did not answer in time 8×",
    ],
    [
      { lastAttempt: { words: "the provider cannot be reached", count: 1 } },
      "the provider cannot be reached",
    ],
    [{ resolution: "answered" as const, status: "APPROVED", documentExpiry: "valid" }, "approved"],
    [
      { resolution: "answered" as const, status: "APPROVED", documentExpiry: "expiring" },
      "approved, document expires soon",
    ],
    [
      { resolution: "answered" as const, status: "APPROVED", documentExpiry: "expired" },
      "approved, document has expired",
    ],
    [{ resolution: "answered" as const, status: "PENDING_APPROVAL" }, "in review at the provider"],
    [
      {
        ...{ resolution: "answered" as const, status: "PENDING_APPROVAL" },
        requested: ["BANK_STATEMENT", "SOURCE_OF_FUNDS"],
      },
      "the provider asks for: Bank statement, Source of funds",
    ],
    [{ resolution: "answered" as const, status: null, subStatus: "tier_2" }, "provider says “tier_2”"],
    [{ resolution: "refused" as const, reasons: ["NAME_MISMATCH", "OTHER"] }, "name differs +1"],
    [{ resolution: "refused" as const, reasons: ["A_LATER_CODE"] }, "A_LATER_CODE"],
  ])("says %j in words", (fields, words) => {
    expect(whyOf({ ...row, ...fields })).toBe(words);
  });

  it("puts what needs somebody before every other state", () => {
    const approved = { ...row, resolution: "answered" as const, status: "APPROVED" };
    expect(stateOf(approved)).toEqual({ word: "Approved", meaning: "good" });
    expect(stateOf({ ...approved, needsAttentionSince: "2026-01-31T12:00:00Z" }).meaning).toBe("attention");
  });
});

describe("the state of a record in a word, and the service's sentence", () => {
  const readAt = "2026-01-31T12:00:00.000Z";
  const times = {
    ...{ explanation: null, history: [], requests: [], readAt, leaseUntil: null, dueAt: readAt },
    ...{ documentExpiry: null, renewal: null },
  };
  const since = "2026-01-31T11:00:00.000Z";

  it.each([
    ["unresolved", null, since, "Needs attention", "no-attempt-stored"],
    ["unresolved", null, null, "In progress", "waiting"],
    ["answered", "PENDING", null, "Incomplete", "incomplete"],
    ["answered", "PENDING_APPROVAL", null, "In review", "in-review"],
    ["answered", "APPROVED", null, "Approved", "approved"],
    ["answered", "REJECTED", null, "Rejected", "rejected"],
    ["answered", null, null, "Unknown status", "unknown-status"],
    ["refused", null, null, "Refused", "refused"],
  ] as const)("agree: %s, %s, %s", (resolution, status, needsAttentionSince, word, situation) => {
    const record = { resolution, status, needsAttentionSince };
    expect(stateOf(record).word).toBe(word);
    expect(explainRecord({ ...times, ...record }, []).situation).toBe(situation);
  });
});

describe("an error of a call", () => {
  const problem = (code: string, httpStatus: number, errors: object[] = []) => ({
    data: { httpStatus, problem: { code, message: "General.", requestId: "req_1", errors } },
  });

  it("has the kind of its code or its status, and the most exact message", () => {
    expect(
      shownError(problem("SCOPE_MISSING", 403, [{ path: "", rule: "scope", message: "Ask compliance." }])),
    ).toEqual({
      kind: "refused",
      message: "Ask compliance.",
      requestId: "req_1",
      code: "SCOPE_MISSING",
      rule: "scope",
    });
    expect(shownError(problem("INVALID_INPUT", 400)).kind).toBe("invalid");
    expect(shownError(problem("A_LATER_CODE", 409)).kind).toBe("conflict");
    expect(shownError(problem("A_LATER_CODE", 400)).kind).toBe("unexpected");
    expect(shownError(problem("SIGN_IN_TOO_OLD", 401)).kind).toBe("signed-out");
    const invalid = (rule: string) => problem("PERSON_INVALID", 401, [{ path: "", rule, message: "Why." }]);
    expect(shownError(invalid("token-expired")).kind).toBe("signed-out");
    expect(shownError(invalid("token-roles"))).toMatchObject({ kind: "refused", message: "Why." });
  });

  it("is judged by its status without a problem, and offline without either", () => {
    expect(shownError({ meta: { response: { status: 401 } } }).kind).toBe("signed-out");
    expect(shownError({ data: { httpStatus: 503 } }).kind).toBe("unavailable");
    expect(shownError(new TypeError("Failed to fetch")).kind).toBe("offline");
  });
});

describe("what an act that failed has done", () => {
  const effect = (code: string, httpStatus: number) =>
    effectOf({ data: { httpStatus, problem: { code, errors: [] } } });

  it.each([
    ["PROVIDER_PAUSED", 503, "Nothing was sent."],
    ["KYC_RECORD_CONFLICT", 409, "Nothing was changed."],
    ["SCOPE_MISSING", 403, "Nothing was changed."],
    ["RATE_LIMITED", 429, "Nothing was changed."],
    ["INTERNAL_ERROR", 500, "It is not certain whether it took effect. Look before you repeat it."],
  ] as const)("is said for %s", (code, status, words) => {
    expect(effect(code, status)).toBe(words);
  });

  it("is not certain without an answer, unless the act only reads", () => {
    expect(effectOf(new TypeError("Failed to fetch"))).toMatch(/not certain/);
    expect(effectOf(new TypeError("Failed to fetch"), true)).toBe("Nothing was changed.");
  });
});

describe("what came of asking and sending", () => {
  it("is a line for each call, and that nothing was sent while the provider cannot be reached", () => {
    const asked = showReply({ outcome: "not-found" });
    expect(attemptLines({ asked, sent: showReply({ outcome: "unsent", reason: "breaker-open" }) })).toEqual([
      "Asked: the provider does not know the submission.",
      "Nothing was sent: the provider cannot be reached.",
    ]);
  });
});

it("a row gets its reasons with its status", () => {
  const state = { resolution: "refused", status: null, subStatus: null, needsAttentionSince: null } as const;
  const explanation = { reasons: [{ code: "OTHER" as const, field: null }], final: false };
  expect(rowFields({ ...state, explanation })).toEqual({ ...state, reasons: ["OTHER"] });
  expect(rowFields(state)).toEqual(state);
});
