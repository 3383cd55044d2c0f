import { defaultPolicies, Failure, type RecordDetails, showReply } from "@cardbridge/domain";
import { ConfigurationError } from "@cardbridge/node";
import { createOperations, listOperations } from "@cardbridge/service";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { toCommandError } from "../../src/cli/errors.ts";
import { parseExpiry } from "../../src/cli/keys.ts";
import { detailsOf } from "../../src/cli/nouns.ts";
import { formatOutput, formatTable } from "../../src/cli/output.ts";
import { parseEnd } from "../../src/cli/pauses.ts";
import { reportAttempt, stateOf } from "../../src/cli/replies.ts";

const hour = 3_600_000;
const readAt = new Date("2026-01-31T12:00:00Z");
const at = (offset: number) => new Date(readAt.getTime() + offset).toISOString();
const record: RecordDetails = {
  kycRecordId: "kyc_1",
  platformId: "plt_1",
  resolution: "unresolved",
  attempt: 3,
  step: "ask",
  notFound: 0,
  createdAt: at(-2 * hour),
  dueAt: at(12_000),
  leaseUntil: null,
  needsAttentionSince: null,
  readAt: at(0),
  externalUserId: "usr_1",
  version: "3",
  status: null,
  subStatus: null,
  cardAccountId: null,
  traceId: null,
  revision: null,
  explanation: null,
  history: [],
  documentExpiry: null,
  renews: null,
  renewal: null,
  requests: [],
  requestHistory: [],
  expiryHistory: [],
  providerSteps: [],
  assignee: null,
  assignedRole: null,
  assignedAt: null,
  assignmentVersion: 0,
  notes: 0,
};

describe("a table", () => {
  const rows = [
    { kycRecordId: "kyc_1", attempt: 3, dueAt: null, final: true, codes: ["A", "B"] },
    { kycRecordId: "kyc_12", attempt: 21, dueAt: null, final: false, codes: [] },
  ];

  it("has a column for each field with a value, and right-aligned numbers", () => {
    expect(formatTable(rows, "kycRecordId attempt dueAt final codes").split("\n")).toEqual([
      "KYC RECORD  ATTEMPT  FINAL  CODES",
      "kyc_1             3  yes    A, B",
      "kyc_12           21  no     -",
    ]);
  });

  it("is cut to the width of a terminal", () => {
    expect(formatTable(rows, "kycRecordId attempt", 15)).toBe(
      "KYC RECORD  AT…\nkyc_1         …\nkyc_12        …",
    );
  });

  it("contains no terminal control characters", () => {
    expect(formatTable([{ excerpt: "a\u001b[2Jb\u202ec\r\nd" }], "excerpt")).toBe("EXCERPT\na [2Jb c d");
  });
});

describe("an output", () => {
  const item = z.object({ keyId: z.string(), lastUsedAt: z.string().nullable() });
  const page = z.object({ keys: z.array(item), more: z.boolean() });
  const shown = (output: z.output<typeof page>) => formatOutput(page, output, {}, undefined);

  it("has one field a line, nested fields with both names, and lists as tables", () => {
    const schema = z.object({
      platformId: z.string(),
      erased: z.boolean(),
      explanation: z.object({ codes: z.array(z.string()), final: z.boolean() }).nullable(),
      needsAttentionSince: z.string().nullable(),
      history: z.array(z.object({ status: z.string() })),
    });
    const output = {
      platformId: "plt_1",
      erased: false,
      needsAttentionSince: null,
      history: [{ status: "done" }],
      secret: "s",
      explanation: { codes: ["A"], final: true },
    };
    expect(formatOutput(schema, output, {}, undefined)).toBe(
      "platform           plt_1\nerased             no\nexplanation codes  A\nexplanation final  yes\n\nSTATUS\ndone",
    );
  });

  it("of an empty list is a sentence", () => {
    expect(shown({ keys: [], more: false })).toBe("No keys.");
  });

  it("of an incomplete list says how to get more", () => {
    expect(shown({ keys: [{ keyId: "key_1", lastUsedAt: null }], more: true })).toBe(
      "KEY\nkey_1\n\nThere are more: raise --limit.",
    );
    const pages = z.object({ items: z.array(item), nextCursor: z.string().nullable() });
    const first = { items: [{ keyId: "key_1", lastUsedAt: null }], nextCursor: "whd_1" };
    expect(formatOutput(pages, first, {}, undefined)).toContain("There are more: --cursor whd_1.");
    expect(formatOutput(pages, { ...first, nextCursor: null }, {}, undefined)).not.toContain("more");
  });

  it("of every command has the fields and lists that its details name", () => {
    for (const { id, output } of listOperations(createOperations(defaultPolicies))) {
      const { alone, columns = {} } = detailsOf(id);
      const shape = output instanceof z.ZodObject ? output.shape : {};
      if (alone !== undefined) expect(shape[alone]?.description, id).toEqual(expect.any(String));
      for (const [list, names] of Object.entries(columns))
        expect(Object.keys(shape[list].element.shape), id).toEqual(expect.arrayContaining(names.split(" ")));
    }
  });
});

it("a status includes the provider's raw status only if they differ", () => {
  const answered = { ...record, resolution: "answered" } as const;
  expect(stateOf({ ...answered, status: "APPROVED", subStatus: "approved" })).toBe("APPROVED");
  expect(stateOf({ ...answered, status: "PENDING", subStatus: "not_submitted" })).toBe(
    "PENDING (not_submitted)",
  );
  expect(stateOf({ ...answered, status: null, subStatus: "manual_review" })).toBe(
    "no status (manual_review)",
  );
  expect(stateOf({ ...record, resolution: "refused" })).toBe("refused");
  expect(stateOf({ ...record, needsAttentionSince: at(-hour) })).toBe("unresolved, needs attention");
});

describe("an operator's attempt", () => {
  const before: RecordDetails = { ...record, needsAttentionSince: at(-hour), dueAt: null };
  const rejected = { resolution: "answered", status: "REJECTED", subStatus: "rejected" } as const;
  const after: RecordDetails = { ...record, ...rejected };
  const answered = showReply({
    outcome: "answered",
    subStatus: "rejected",
    cardAccountId: null,
    revision: 2,
  });

  it("reports what the provider replied and what changed", () => {
    const attempt = { before, after, asked: showReply({ outcome: "not-found" }), sent: answered };
    expect(reportAttempt(attempt, true)).toEqual({
      text:
        "The provider does not know it. It was sent again. The provider has it: rejected.\n" +
        "kyc_1: unresolved, needs attention -> REJECTED",
    });
  });

  it("warns when a final status was replaced by another one", () => {
    const approved = { ...after, status: "APPROVED", subStatus: "approved" } as const;
    expect(reportAttempt({ before: approved, after, asked: answered, sent: null }).text).toContain(
      "another final status",
    );
  });

  it("is a problem if it was not stored", () => {
    expect(reportAttempt({ before, after: null, asked: answered, sent: null }).problem).toBe(
      "The provider has it: rejected. The reply could not be stored: run the command again.",
    );
  });
});

it.each([
  ["1", at(24 * hour)],
  ["2027-01-31", "2027-02-01T00:00:00.000Z"],
  ["never", null],
])("a key with the expiry %s expires at %s", (text, time) => {
  expect(parseExpiry(text, readAt)).toBe(time);
});

it.each(["", "0", "-1", "1.5", "2027-02-30", "tomorrow", "99999"])("a key cannot expire in %j", (text) => {
  expect(() => parseExpiry(text, readAt)).toThrow("Give a number of days");
});

it.each([
  ["90m", at(1.5 * hour)],
  ["2026-01-31T14:00:00+01:00", "2026-01-31T14:00:00+01:00"],
])("a pause until %s ends at %s", (text, time) => {
  expect(parseEnd(text, readAt)).toBe(time);
});

describe("a failure of an operation", () => {
  const violations = [
    { path: ["scopes", 0], rule: "enum", message: "Send one." },
    { path: ["scopes", 1], rule: "enum", message: "Send one." },
    { path: ["name"], rule: "required", message: "This field is required." },
  ];

  it("names each invalid option once", () => {
    const failure = new Failure("INVALID_INPUT", { violations });
    const flags = new Map<unknown, string>([["scopes", "--scopes"]]);
    expect(toCommandError(failure, ([field]) => flags.get(field))).toMatchObject({
      message: "--scopes: Send one.\nThis field is required.",
      exitCode: 2,
    });
  });

  it("prints its message, or a more specific one", () => {
    expect(toCommandError(new Failure("KEY_NOT_FOUND"))).toMatchObject({
      message: "There is no such API key.",
      exitCode: 1,
    });
    expect(toCommandError(new Failure("KEY_CONFLICT", { violations }))).toMatchObject({
      message: "Send one.\nThis field is required.",
      exitCode: 1,
    });
    expect(toCommandError(new Failure("SERVICE_UNAVAILABLE")).message).toContain("became unavailable");
    const cause = new ConfigurationError(["KEY_RING is wrong."]);
    expect(toCommandError(new Failure("SERVICE_UNAVAILABLE", { cause })).message).toContain(
      "KEY_RING is wrong.",
    );
  });

  it("that is unexpected prints its location without its message", () => {
    const { message } = toCommandError(new TypeError("erin@example.com"));
    expect(message).toMatch(/^An unexpected error occurred: TypeError at /);
    expect(message).not.toContain("erin");
    expect(toCommandError("erin").message).toBe("An unexpected error occurred.");
  });
});
