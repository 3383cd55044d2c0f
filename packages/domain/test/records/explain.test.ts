import { describe, expect, it } from "vitest";
import {
  type DocumentRequest,
  documentExpiries,
  type ExplainedRecord,
  explainRecord,
  type KycExplanation,
  kycReasonCodes,
  kycStatus,
  type RecordSituation,
  recordNext,
  resolutions,
  type StoredAttempt,
  situations,
  storedAttempt,
} from "../../src/index.ts";

const readAt = "2026-01-31T12:00:00.000Z";
const minutes = (offset: number) => new Date(Date.parse(readAt) + offset * 60_000).toISOString();

const open: ExplainedRecord = {
  resolution: "unresolved",
  status: null,
  explanation: null,
  dueAt: null,
  leaseUntil: null,
  needsAttentionSince: minutes(-5),
  readAt,
  history: [],
  requests: [],
  documentExpiry: null,
  renewal: null,
};
const request: DocumentRequest = {
  documentRequestId: "dreq_1",
  documentType: "BANK_STATEMENT",
  accepts: [{ documentType: "BANK_STATEMENT", filePurpose: "supporting_document" }],
  reason: null,
  requestedAt: "2026-01-20T09:00:00.000Z",
  dueAt: "2026-02-17T09:00:00.000Z",
  status: "open",
  answeredAt: null,
  sentAt: null,
};
const renewal = {
  kycRecordId: "kyc_2",
  resolution: "answered",
  status: "PENDING_APPROVAL",
  replaces: false,
  createdAt: readAt,
} as const;
const overdue = { dueAt: "2026-01-30T09:00:00.000Z" };
const isStored = { status: "answered", answeredAt: "2026-01-25T10:05:00.000Z" } as const;
const failed: StoredAttempt = {
  number: 1,
  lastNumber: 8,
  step: "ask",
  startedAt: minutes(-9),
  lastStartedAt: minutes(-6),
  milliseconds: 10_000,
  outcome: "unknown",
  reason: "deadline",
  words: "the provider did not answer in time",
  by: "worker",
  count: 8,
};
const situationOf = (record: Partial<ExplainedRecord>, attempts: StoredAttempt[] = [failed]) =>
  explainRecord({ ...open, ...record }, attempts).situation;

describe("every state of a record", () => {
  const explanations = [null, { reasons: [], final: false }, { reasons: [], final: true }];
  const times = [null, minutes(-60), minutes(-1), minutes(1)];
  const { outcome, step } = storedAttempt.shape;
  const reasons = [null, "deadline", "mismatched", "file-not-found", "status-401", "status-400:some_code"];
  const lists = [
    [],
    ...outcome.options.flatMap((each) =>
      step.options.flatMap((first) =>
        reasons.map((reason) => [{ ...failed, outcome: each, step: first, reason }]),
      ),
    ),
  ];
  const requests = [{}, overdue, { accepts: [] }, isStored, { ...isStored, sentAt: readAt }].map((change) => [
    { ...request, ...change },
  ]);
  const asked = [null, ...kycStatus.options].flatMap((status) =>
    requests.map((each) => ({
      ...open,
      ...{ resolution: "answered" as const, status, needsAttentionSince: null, requests: each },
    })),
  );
  const approved = {
    ...open,
    resolution: "answered",
    status: "APPROVED",
    needsAttentionSince: null,
  } as const;
  const approvals = [null, renewal, { ...renewal, replaces: true }].flatMap((each) =>
    documentExpiries.map((documentExpiry) => ({ ...approved, documentExpiry, renewal: each })),
  );
  const records = resolutions.flatMap((resolution) =>
    [null, ...kycStatus.options].flatMap((status) =>
      explanations.flatMap((explanation) =>
        times.flatMap((dueAt) =>
          times.flatMap((leaseUntil) =>
            [null, minutes(-5)].map((needsAttentionSince) => ({
              ...open,
              ...{ resolution, status, explanation, dueAt, leaseUntil, needsAttentionSince },
            })),
          ),
        ),
      ),
    ),
  );

  /** Whether an operator has to act: the record is open, needs attention, and no attempt owns it. */
  function needsOperator({ resolution, leaseUntil, needsAttentionSince }: ExplainedRecord): boolean {
    const isOwned = leaseUntil !== null && leaseUntil > readAt;
    return resolution === "unresolved" && !isOwned && needsAttentionSince !== null;
  }

  it("has one situation with complete sentences, an action if one is needed, and no reason for persons", () => {
    const seen = new Set<RecordSituation>();
    for (const record of [...records, ...asked, ...approvals]) {
      for (const attempts of lists) {
        const next = explainRecord(record, attempts);
        const wrong = (what: string) => new Error(`${what}: ${JSON.stringify({ next, record, attempts })}`);
        seen.add(next.situation);
        if (!recordNext.safeParse(next).success) throw wrong("invalid");
        for (const text of [next.operator, next.person])
          if (!/^[A-Z\d].*\.$/.test(text) || /null|undefined|\(\)/.test(text)) throw wrong("incomplete");
        const acts = ["refresh", "resend", "requeue", "resolve"].includes(next.action);
        if (acts !== needsOperator(record)) throw wrong("action");
        if (reasons.some((reason) => reason && `${next.operator}${next.person}`.includes(reason)))
          throw wrong("a code");
      }
    }
    expect([...seen].sort()).toEqual(Object.keys(situations).sort());
  });
});

it("says how often the provider did not answer, why, and what to do", () => {
  expect(
    explainRecord(open, [{ ...failed, number: 1, lastNumber: 1, count: 1, step: "send" }, failed]),
  ).toEqual({
    situation: "no-answer",
    operator:
      "8 attempts brought no answer: the provider did not answer in time. Refresh the record; if the provider does not know it, send it again.",
    person: "We are still checking your documents. You need not do anything now.",
    action: "refresh",
    roles: ["support", "compliance", "operator"],
    manual: false,
  });
});

it.each<[Partial<StoredAttempt>, RecordSituation]>([
  [{ outcome: "not-found", reason: null }, "not-found"],
  [{ outcome: "unsent", reason: "connection-refused" }, "not-sent"],
  [{ outcome: "unsent", reason: "status-401" }, "access-refused"],
  [{ reason: "clock-differs" }, "access-refused"],
  [{ reason: "mismatched" }, "mismatched"],
  [{ reason: "file-not-found" }, "file-missing"],
  [{ reason: "status-400:some_code" }, "unknown-error"],
  [{ reason: "status-503" }, "no-answer"],
])("of a record that needs attention, the last attempt decides: %o", (change, situation) => {
  expect(situationOf({}, [failed, { ...failed, ...change }])).toBe(situation);
});

it.each<[Partial<ExplainedRecord>, StoredAttempt[], RecordSituation]>([
  [{}, [], "no-attempt-stored"],
  [{ leaseUntil: minutes(1) }, [failed], "in-progress"],
  [{ leaseUntil: minutes(-1) }, [failed], "no-answer"],
  [{ needsAttentionSince: null, dueAt: minutes(1) }, [], "waiting"],
  [{ needsAttentionSince: null, dueAt: minutes(-9) }, [failed], "retrying"],
  [{ needsAttentionSince: null, dueAt: minutes(-11) }, [failed], "overdue"],
])("of an open record: %o", (record, attempts, situation) => {
  expect(situationOf(record, attempts)).toBe(situation);
});

it.each<[Partial<ExplainedRecord>, string]>([
  [{ status: "APPROVED" }, "approved"],
  [{ status: "APPROVED", documentExpiry: "expired" }, "approved"],
  [{ status: "REJECTED" }, "rejected"],
  [{ status: "REJECTED", explanation: { reasons: [], final: true } }, "rejected"],
  [{ status: "PENDING_APPROVAL" }, "in review"],
  [{ status: "PENDING" }, "incomplete"],
  [{ resolution: "refused" }, "refused"],
  [{ resolution: "refused", explanation: { reasons: [], final: true } }, "refused"],
])("names the provider only for what it said, not for a manual decision: %o", (state, word) => {
  const decided: ExplainedRecord = {
    ...open,
    ...{ resolution: "answered", needsAttentionSince: null, ...state },
  };
  const change = { resolution: decided.resolution, status: decided.status };
  const by = (source: "provider" | "person" | "event") =>
    explainRecord({ ...decided, history: [{ ...change, source }] }, []).operator;
  expect(by("provider")).toMatch(/^The provider /);
  expect(by("event")).toBe(by("provider"));
  expect(by("person")).toContain(`${word} manually.`);
  expect(by("person")).not.toMatch(/^The provider/);
});

describe("a declined person", () => {
  const told = (reasons: KycExplanation["reasons"], final = false) => {
    const declined = { ...open, resolution: "refused" as const, explanation: { reasons, final } };
    return explainRecord(declined, []);
  };

  it("hears which document is wrong, and what to do", () => {
    const unreadable = { code: "DOCUMENT_UNREADABLE", field: "/frontImageUrl" } as const;
    const outdated = {
      code: "SUPPORTING_DOCUMENT_OUTDATED",
      field: "/supportingDocuments/1/fileUrl",
    } as const;
    expect(told([unreadable, outdated]).person).toBe(
      "We could not read the front of your document. Take a new photo that is sharp and shows all of it. " +
        "Your proof of address is too old. Add a newer one. Then submit again.",
    );
  });

  it("hears no correction of a final decision, nor where there is none", () => {
    const reasons = [{ code: "DOCUMENT_EXPIRED", field: null }] as const;
    expect(told([...reasons], true).person).toBe(
      "Your document has expired. Submitting again does not change this.",
    );
    expect(told([{ code: "UNDER_AGE", field: "/birthday" }]).person).toBe("You are too young for this card.");
  });

  it("hears sentences without a pointer for each reason and field", () => {
    const fields = ["/name", "/frontImageUrl", "/supportingDocuments/0", "/documentPermanentlyValid", null];
    for (const code of kycReasonCodes)
      for (const field of fields) {
        expect(told([{ code, field }]).person).toMatch(/^[A-Z][^/_]*\.$/);
      }
  });
});

describe("an approval", () => {
  const rejected = { ...renewal, status: "REJECTED" } as const;

  it.each<[Partial<ExplainedRecord>, RecordSituation]>([
    [{ documentExpiry: "valid" }, "approved"],
    [{ documentExpiry: "permanent" }, "approved"],
    [{ documentExpiry: "unknown" }, "approved"],
    [{ documentExpiry: "expiring" }, "document-expiring"],
    [{ documentExpiry: "expired" }, "document-expired"],
    [{ documentExpiry: "expired", renewal }, "renewal-under-way"],
    [{ documentExpiry: "expired", renewal: { ...renewal, resolution: "unresolved" } }, "renewal-under-way"],
    [{ documentExpiry: "expired", renewal: rejected }, "document-expired"],
    [{ documentExpiry: "expiring", renewal: { ...rejected, resolution: "refused" } }, "document-expiring"],
    [{ documentExpiry: "expired", renewal: { ...renewal, status: "APPROVED", replaces: true } }, "renewed"],
    [{ documentExpiry: "expired", renewal: { ...rejected, replaces: true } }, "renewed"],
  ])("whose document or renewal is %o", (state, situation) => {
    const record = {
      resolution: "answered",
      status: "APPROVED",
      needsAttentionSince: null,
      ...state,
    } as const;
    expect(situationOf(record, [])).toBe(situation);
  });
});

it("tells nobody to do nothing about an incomplete verification", () => {
  const incomplete: ExplainedRecord = { ...open, resolution: "answered", status: "PENDING" };
  const next = explainRecord(incomplete, []);
  expect(next.situation).toBe("incomplete");
  for (const text of [next.operator, next.person]) expect(text).not.toContain("need not do anything");
});

it.each([
  ["breaker-open", "8 attempts did not reach the provider: the provider cannot be reached. Requeue"],
  [
    "connection-refused",
    "8 attempts did not reach the provider: the connection to the provider failed. Requeue",
  ],
])("says why nothing was sent: %s", (reason, text) => {
  expect(explainRecord(open, [{ ...failed, outcome: "unsent", reason }]).operator).toContain(text);
});

describe("a record in review with requests", () => {
  const next = (
    requests: Partial<DocumentRequest>[],
    record: Partial<ExplainedRecord> = {},
    attempts = [failed],
  ) =>
    explainRecord(
      {
        ...open,
        ...{ resolution: "answered", status: "PENDING_APPROVAL", needsAttentionSince: null, ...record },
        requests: requests.map((change) => ({ ...request, ...change })),
      },
      attempts,
    );
  const answered = [{ ...failed, outcome: "answered", reason: null, count: 1 } as const];

  it.each<[string, Partial<DocumentRequest>, object]>([
    [
      "that is open",
      {},
      {
        situation: "document-requested",
        operator:
          "The provider asked for a bank statement on 20 January, and waits until 17 February. The platform answers. " +
          "You need not do anything.",
        person: "Please send a bank statement by 17 February.",
      },
    ],
    [
      "without a limit",
      { dueAt: null },
      {
        operator:
          "The provider asked for a bank statement on 20 January. The platform answers. You need not do anything.",
        person: "Please send a bank statement.",
      },
    ],
    [
      "of a type that is not known",
      { documentType: "SOURCE_OF_FUNDS" },
      { person: "Please send source of funds by 17 February." },
    ],
    [
      "that is overdue",
      overdue,
      {
        situation: "request-overdue",
        operator:
          "The provider waited for a bank statement until 30 January, and the platform did not answer. Remind the " +
          "platform, and ask the provider whether it still waits.",
        person: "Please send a bank statement now. We waited for it until 30 January.",
      },
    ],
    [
      "that no file answers",
      { documentType: "LIVENESS_CHECK", accepts: [], ...overdue },
      {
        situation: "request-without-file",
        operator:
          "The provider asked for liveness check on 20 January, and waits until 30 January. No file answers this: ask " +
          "the person, and answer the provider outside of this service.",
        person: "We need one more thing from you: liveness check. We tell you how to send it.",
      },
    ],
    ["that has the answer", { ...isStored, sentAt: readAt }, { situation: "in-review" }],
    ["that is closed", { status: "closed" }, { situation: "in-review" }],
  ])("says what a request %s needs", (_, change, expected) => {
    expect(next([change], {}, answered)).toMatchObject({ ...expected, action: "none" });
  });

  it("says since when an answer is not sent, and why", () => {
    expect(next([isStored])).toMatchObject({
      situation: "answer-not-sent",
      operator:
        "The platform sent a bank statement on 25 January at 10:05 UTC, and the provider does not have it yet: the provider did not answer in time. " +
        "Workers send it. If it takes longer than half an hour, check whether a worker runs.",
      person: "We are still checking your documents. You need not do anything now.",
    });
  });

  it("names all documents of the most urgent situation, each once, with the earliest times", () => {
    const selfie = { documentType: "SELFIE", requestedAt: "2026-01-18T09:00:00.000Z", dueAt: null };
    expect(next([selfie, {}, {}, isStored]).operator).toMatch(
      /^The provider asked for a selfie and a bank statement on 18 January, and waits until 17 February\./,
    );
    expect(next([selfie, overdue, isStored]).situation).toBe("request-overdue");
    expect(next([overdue, { accepts: [] }]).situation).toBe("request-without-file");
  });

  it("says nothing of them before the provider's answer, and after its decision", () => {
    expect(next([{}], { status: "APPROVED" }).situation).toBe("approved");
    expect(next([{}], { status: "REJECTED" }).situation).toBe("rejected");
    const unresolved = { resolution: "unresolved", status: null, dueAt: minutes(1) } as const;
    expect(next([{}], unresolved).situation).toBe("retrying");
  });
});
