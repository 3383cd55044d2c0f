import { describe, expect, it } from "vitest";
import {
  afterRejection,
  decideSubmission,
  type KycRecord,
  type KycState,
  type SubmissionDecision,
  type SubmissionFacts,
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
} satisfies Record<string, Partial<KycState>>;
const declined = ["refused", "REJECTED"] as const;
const open = ["unresolved", "PENDING", "PENDING_APPROVAL", "null", "APPROVED"] as const;

const recordIn = (state: keyof typeof states): KycRecord => ({ ...recordAfter(), ...states[state] });
const nobody: SubmissionFacts = { usedKey: undefined, newKey: false, user: undefined, emailOwner: undefined };
const userWith = (email: "same" | "other" | "none", latest: keyof typeof states = "refused") => ({
  email,
  erasureRequested: false,
  latest: recordIn(latest),
  equal: undefined,
  standing: latest === "APPROVED" ? recordIn(latest) : undefined,
});
const ownerWith = (state: keyof typeof states) => ({
  latest: recordIn(state),
  everApproved: false,
  imported: false,
});
const newRecord = { kind: "new", createsUser: false, bindsEmail: false, takesEmail: false, renews: null };

function decide(facts: Partial<SubmissionFacts>) {
  return shown(decideSubmission({ ...nobody, ...facts }, { ...afterRejection, renews: true }));
}

/** Formats a failure as its code and the paths of its violations. */
function shown(decision: SubmissionDecision) {
  if (decision.kind !== "refuse") return decision;
  const { code, details } = decision.failure;
  return [code, ...(details.violations ?? []).map(({ path }) => `/${path.join("/")}`)].join(" ");
}

describe("a used key or an equal body", () => {
  const emailOwner = ownerWith("APPROVED");
  it("replays the record of a used key, regardless of identity conflicts", () => {
    const user = { ...userWith("other", "APPROVED"), erasureRequested: true };
    const usedKey = { kycRecordId: "kyc_2", equal: true };
    expect(decide({ usedKey, user, emailOwner })).toEqual({ kind: "replay", kycRecordId: "kyc_2" });
    expect(decide({ usedKey: { ...usedKey, equal: false }, user, emailOwner })).toBe(
      "IDEMPOTENCY_KEY_REUSED",
    );
  });

  it.each([...open, ...declined])("replays the equal record, whatever state the latest has: %s", (state) => {
    const equal = { ...recordIn("refused"), kycRecordId: "kyc_0" };
    const user = { ...userWith("other", state), equal, erasureRequested: true };
    expect(decide({ user, emailOwner })).toEqual({ kind: "replay", kycRecordId: "kyc_0" });
  });

  it("with a new key starts a new record only after a rejection or a refusal (G16)", () => {
    for (const latest of [...open, ...declined]) {
      const user = (equal: keyof typeof states) => ({ ...userWith("same", latest), equal: recordIn(equal) });
      for (const equal of open)
        expect(decide({ user: user(equal), newKey: true })).toMatchObject({ kind: "replay" });
      const expected = open.includes(latest as "PENDING") ? "KYC_ALREADY_SUBMITTED" : newRecord;
      for (const equal of declined) expect(decide({ user: user(equal), newKey: true })).toEqual(expected);
    }
  });
});

describe("the user with the memberId", () => {
  it("is created if no user has the memberId", () => {
    expect(decide({})).toEqual({ ...newRecord, createsUser: true, bindsEmail: true });
  });

  it.each(declined)("may change the e-mail after %s", (state) => {
    expect(decide({ user: userWith("other", state) })).toEqual({ ...newRecord, bindsEmail: true });
    expect(decide({ user: userWith("none", state) })).toEqual({ ...newRecord, bindsEmail: true });
    expect(decide({ user: userWith("same", state) })).toEqual(newRecord);
  });

  it.each(open)("cannot change the e-mail while the latest record is %s", (state) => {
    expect(decide({ user: userWith("other", state) })).toBe("USER_IDENTITY_CONFLICT /email");
    expect(decide({ user: userWith("same", state) })).toBe("KYC_ALREADY_SUBMITTED");
    // Another user took the e-mail before a late verdict, so no e-mail conflicts.
    expect(decide({ user: userWith("none", state) })).toBe("KYC_ALREADY_SUBMITTED");
  });

  it("cannot change the e-mail of an import", () => {
    const user = { ...userWith("other"), latest: undefined };
    expect(decide({ user })).toBe("USER_IDENTITY_CONFLICT /email");
    expect(decide({ user: { ...user, email: "same" } })).toEqual(newRecord);
  });

  it("cannot submit while an erasure is pending", () => {
    const user = { ...userWith("other", "APPROVED"), erasureRequested: true };
    expect(decide({ user, emailOwner: ownerWith("APPROVED") })).toBe("USER_ERASURE_PENDING");
  });
});

describe("the other user who has the e-mail", () => {
  it.each(declined)("loses the e-mail after %s", (state) => {
    const emailOwner = ownerWith(state);
    const takes = { ...newRecord, bindsEmail: true, takesEmail: true };
    expect(decide({ emailOwner })).toEqual({ ...takes, createsUser: true });
    expect(decide({ user: userWith("other"), emailOwner })).toEqual(takes);
  });

  it.each(open)("keeps the e-mail while the latest record is %s", (state) => {
    const emailOwner = ownerWith(state);
    expect(decide({ emailOwner })).toBe("USER_IDENTITY_CONFLICT /memberId");
    expect(decide({ user: userWith("other"), emailOwner })).toBe("USER_IDENTITY_CONFLICT /email");
  });

  it("keeps the e-mail if imported, ever approved, or without a record", () => {
    const refused = ownerWith("refused");
    for (const fact of [{ imported: true }, { everApproved: true }, { latest: undefined }])
      expect(decide({ emailOwner: { ...refused, ...fact } })).toBe("USER_IDENTITY_CONFLICT /memberId");
  });

  it("adds a violation to the user's own conflict", () => {
    const user = userWith("other", "PENDING");
    expect(decide({ user, emailOwner: ownerWith("PENDING") })).toBe("USER_IDENTITY_CONFLICT /email /email");
  });
});
