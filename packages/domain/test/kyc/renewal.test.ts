import { describe, expect, it } from "vitest";
import {
  afterRejection,
  type DocumentExpiry,
  decideSubmission,
  type KycRecord,
  type KycState,
  standingApproval,
  toCurrentKyc,
  toKycReading,
  toUserReading,
} from "../../src/index.ts";
import { recordAfter } from "./submission-body.ts";

const states = {
  unresolved: {},
  PENDING: { resolution: "answered", status: "PENDING" },
  PENDING_APPROVAL: { resolution: "answered", status: "PENDING_APPROVAL" },
  null: { resolution: "answered", status: null },
  APPROVED: { resolution: "answered", status: "APPROVED" },
  refused: { resolution: "refused" },
  REJECTED: { resolution: "answered", status: "REJECTED" },
  revoked: { resolution: "answered", status: "REJECTED", approvedAt: new Date(1) },
} satisfies Record<string, Partial<KycRecord>>;
type State = keyof typeof states;
type Expiry = Exclude<DocumentExpiry, "unknown"> | null;

/** A record of the user, whose number gives its age. */
const record = (number: number, state: State, documentExpiry: Expiry = null): KycRecord => ({
  ...recordAfter(),
  ...(states[state] satisfies Partial<KycState>),
  kycRecordId: `kyc_${number}`,
  documentExpiry,
});

interface Asked {
  /** Newest first. */
  records: readonly KycRecord[];
  equal?: KycRecord;
  newKey?: boolean;
  renews?: boolean;
  email?: "same" | "other" | "none";
  erasureRequested?: boolean;
}

/** The decision in words: `new`, `renews kyc_1`, `replay kyc_1`, or the code of the failure with its record. */
function decide({ records, equal, newKey = false, renews = true, email = "same", ...rest }: Asked): string {
  const user = {
    email,
    erasureRequested: rest.erasureRequested ?? false,
    latest: records[0],
    equal,
    standing: standingApproval(records),
  };
  const facts = { usedKey: undefined, newKey, user, emailOwner: undefined };
  const decision = decideSubmission(facts, { ...afterRejection, renews });
  if (decision.kind === "replay") return `replay ${decision.kycRecordId}`;
  if (decision.kind === "new") return decision.renews === null ? "new" : `renews ${decision.renews}`;
  const { code, details } = decision.failure;
  const rules = (details.violations ?? []).map(({ rule }) => rule);
  return [code, details.kycRecordId, ...rules].filter((part) => part !== undefined).join(" ");
}

const expiries = ["valid", "expiring", "expired", "permanent", null] as const;
const isDue = (expiry: Expiry) => expiry === "expiring" || expiry === "expired";
const underWay = ["unresolved", "PENDING", "PENDING_APPROVAL", "null"] as const;
const declined = ["refused", "REJECTED", "revoked"] as const;

describe("another body of an approved user (G44)", () => {
  it.each(expiries)("is a renewal only while the document expires: %s", (expiry) => {
    const records = [record(1, "APPROVED", expiry)];
    expect(decide({ records })).toBe(isDue(expiry) ? "renews kyc_1" : "KYC_ALREADY_SUBMITTED kyc_1");
  });

  it.each(underWay)("is a conflict with the renewal under way: %s", (state) => {
    for (const expiry of expiries)
      expect(decide({ records: [record(2, state), record(1, "APPROVED", expiry)] })).toBe(
        "KYC_ALREADY_SUBMITTED kyc_2",
      );
  });

  it.each(["refused", "REJECTED"] as const)("is the next renewal after a declined one: %s", (state) => {
    for (const expiry of expiries)
      expect(decide({ records: [record(2, state), record(1, "APPROVED", expiry)] })).toBe(
        isDue(expiry) ? "renews kyc_1" : "KYC_ALREADY_SUBMITTED kyc_1",
      );
  });

  it("renews the approved renewal, whose document counts", () => {
    const records = (expiry: Expiry) => [record(2, "APPROVED", expiry), record(1, "APPROVED", "expired")];
    expect(decide({ records: records("valid") })).toBe("KYC_ALREADY_SUBMITTED kyc_2");
    expect(decide({ records: records("expired") })).toBe("renews kyc_2");
  });

  it("is an ordinary submission after the provider revoked the last approval", () => {
    expect(decide({ records: [record(1, "revoked", "expired")] })).toBe("new");
    expect(decide({ records: [record(2, "revoked"), record(1, "APPROVED", "expired")] })).toBe("new");
    expect(decide({ records: [record(3, "REJECTED"), record(2, "revoked"), record(1, "APPROVED")] })).toBe(
      "new",
    );
  });

  it("is a conflict that says so if the provider cannot renew", () => {
    const refused = "KYC_ALREADY_SUBMITTED kyc_1 renewal-not-supported";
    expect(decide({ records: [record(1, "APPROVED", "expired")], renews: false })).toBe(refused);
    const after = [record(2, "REJECTED"), record(1, "APPROVED", "expiring")];
    expect(decide({ records: after, renews: false })).toBe(refused);
    expect(decide({ records: [record(1, "APPROVED", "valid")], renews: false })).toBe(
      "KYC_ALREADY_SUBMITTED kyc_1",
    );
  });
});

describe("an equal body of an approved user", () => {
  it("replays the approval, also under a new key and after its document has expired", () => {
    const approved = record(1, "APPROVED", "expired");
    for (const newKey of [false, true])
      expect(decide({ records: [approved], equal: approved, newKey })).toBe("replay kyc_1");
  });

  it.each(underWay)("replays the renewal under way: %s", (state) => {
    const renewal = record(2, state);
    const records = [renewal, record(1, "APPROVED", "expired")];
    for (const newKey of [false, true])
      expect(decide({ records, equal: renewal, newKey })).toBe("replay kyc_2");
  });

  it("replays a declined renewal, and renews again under a new key", () => {
    const renewal = record(2, "REJECTED");
    const records = [renewal, record(1, "APPROVED", "expired")];
    expect(decide({ records, equal: renewal })).toBe("replay kyc_2");
    expect(decide({ records, equal: renewal, newKey: true })).toBe("renews kyc_1");
    const later = [record(3, "PENDING"), ...records];
    expect(decide({ records: later, equal: renewal, newKey: true })).toBe("KYC_ALREADY_SUBMITTED kyc_3");
  });

  it("replays a declined submission before the approval, and never starts another", () => {
    const first = record(1, "REJECTED");
    const records = [record(2, "APPROVED", "valid"), first];
    expect(decide({ records, equal: first })).toBe("replay kyc_1");
    expect(decide({ records, equal: first, newKey: true })).toBe("KYC_ALREADY_SUBMITTED kyc_2");
  });
});

describe("with a standing approval", () => {
  it("no submission changes the e-mail", () => {
    const approved = record(1, "APPROVED", "expired");
    for (const records of [[approved], [record(2, "REJECTED"), approved], [record(2, "PENDING"), approved]])
      expect(decide({ records, email: "other" })).toBe("USER_IDENTITY_CONFLICT email-mismatch");
    expect(decide({ records: [record(2, "REJECTED"), record(1, "revoked")], email: "other" })).toBe("new");
  });

  it("no submission starts while an erasure is requested", () => {
    expect(decide({ records: [record(1, "APPROVED", "expired")], erasureRequested: true })).toBe(
      "USER_ERASURE_PENDING",
    );
  });

  it.each([...underWay, "refused", "REJECTED"] as const)(
    "a reading gives the approval, and the later record as its renewal: %s",
    (state) => {
      const requests = { requests: [] };
      const records = [record(2, state), record(1, "APPROVED", "expired")].map((one) => ({
        ...one,
        ...requests,
      }));
      const reading = toUserReading(records);
      const status =
        state === "unresolved" ? "PENDING" : state === "refused" || state === "null" ? null : state;
      expect(reading && toCurrentKyc(reading)).toMatchObject({
        kycRecordId: "kyc_1",
        status: "APPROVED",
        documentExpiry: "expired",
        renewal: { kycRecordId: "kyc_2", status },
      });
    },
  );
});

describe("a reading of a user", () => {
  const read = (...records: KycRecord[]) => toUserReading(records.map((one) => ({ ...one, requests: [] })));

  it("gives the latest record without a standing approval", () => {
    expect(read()).toBeNull();
    for (const state of [...underWay, ...declined])
      expect(read(record(2, state), record(1, "revoked"))).toMatchObject({
        kycRecordId: "kyc_2",
        renewal: null,
      });
  });

  it("gives the approved renewal, and the latest record after the renewal was revoked", () => {
    const renewed = record(1, "APPROVED", "expired");
    expect(read(record(2, "APPROVED", "valid"), renewed)).toMatchObject({
      kycRecordId: "kyc_2",
      renewal: null,
    });
    expect(read(record(2, "revoked"), renewed)).toMatchObject({ kycRecordId: "kyc_2", renewal: null });
  });

  it("says the expiry of an approved record only, and unknown without a date that can be read", () => {
    const expiry = (state: State, documentExpiry: Expiry) =>
      toKycReading({ ...record(1, state, documentExpiry), requests: [] }).documentExpiry;
    for (const state of [...underWay, ...declined]) expect(expiry(state, "expired")).toBeNull();
    for (const documentExpiry of expiries)
      expect(expiry("APPROVED", documentExpiry)).toBe(documentExpiry ?? "unknown");
  });
});
