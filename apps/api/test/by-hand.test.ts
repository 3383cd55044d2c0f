import {
  applyManualDecision,
  applyVerdict,
  type KycAdmin,
  type KycAnswer,
  type KycRecord,
  type KycSubmission,
  newState,
  type RetryPlan,
  type Step,
} from "@cardbridge/domain";
import { describe, expect, it } from "vitest";
import { askByHand } from "../src/operations/ask-by-hand.ts";
import type { ByHandPorts } from "../src/operations/by-hand.ts";
import { resendByHand } from "../src/operations/resend-by-hand.ts";
import { settleByHand } from "../src/operations/settle-by-hand.ts";
import { fakePorts } from "./support/fakes.ts";

type Found = KycAnswer | { outcome: "not-found" };

const approved: KycAnswer = {
  outcome: "answered",
  subStatus: "approved",
  cardAccountId: "acct_1",
  revision: 1,
};
const unknown: KycAnswer = { outcome: "unknown", reason: "deadline" };

/** One held record `kyc_1`, and a provider that says what it is told to; counts what it is told. */
function setUp(says: { found: Found; sent?: KycAnswer }) {
  let record: KycRecord = {
    ...newState,
    kycRecordId: "kyc_1",
    externalUserId: "usr_1",
    attempt: 5,
    createdAt: new Date(0),
  };
  let step: Step = "send";
  let owned = false;
  const told: string[] = [];
  const plans: RetryPlan[] = [];
  const { ports: fakes, observed } = fakePorts({
    findKyc: async ({ reference }) => {
      told.push(`asked for ${reference}`);
      return says.found;
    },
    submitKyc: async ({ reference, applicant }) => {
      told.push(`sent ${reference} ${JSON.stringify(applicant)}`);
      return says.sent ?? unknown;
    },
  });
  const desk: KycAdmin = {
    list: async () => [],
    async show(id) {
      if (id !== "kyc_1") return null;
      const settled = record.settlement !== "unsettled";
      const job = { ...record, platformId: "plt_1", step, notFound: 0, dueAt: null, leaseUntil: null };
      return {
        record,
        job: { ...job, heldAt: settled ? null : new Date(0), readAt: new Date(1) },
        history: [],
      };
    },
    async take(id, how) {
      if (id !== "kyc_1") return null;
      if (owned) return { kind: "busy", until: new Date(30_000) };
      if (how.step === "send" && how.after !== record.attempt) return { kind: "busy", until: null };
      record = { ...record, attempt: record.attempt + 1 };
      owned = true;
      step = how.step;
      return { kind: "leased", platformId: "plt_1", kycRecordId: id, attempt: record.attempt };
    },
    async settle(id, word) {
      if (id !== "kyc_1") return null;
      const before = record;
      record = applyManualDecision(record, word);
      return { before, record };
    },
  };
  const ports: ByHandPorts = {
    ...fakes,
    desk,
    kycRecords: {
      ...fakes.kycRecords,
      loadAttempt: async () => ({
        record,
        submission: { memberId: "m", name: "N" } as KycSubmission,
        step,
        notFound: 0,
      }),
      async storeVerdict(_platform, _attempt, verdict) {
        const before = record;
        record = applyVerdict(record, verdict);
        owned = false;
        return { before, record };
      },
      async reschedule(_platform, _attempt, plan) {
        owned = false;
        plans.push(plan);
      },
    },
  };
  return {
    ports,
    told,
    plans,
    observed,
    own() {
      owned = true;
    },
  };
}

describe("asking by hand", () => {
  it("stores what the provider says, on the way of every attempt", async () => {
    const { ports, told, observed } = setUp({ found: approved });
    const came = await askByHand(ports, "kyc_1");
    expect(came).toMatchObject({
      asked: approved,
      sent: null,
      before: { record: { settlement: "unsettled", attempt: 5 } },
      after: { record: { status: "APPROVED", attempt: 6 }, job: { heldAt: null } },
    });
    expect(told).toEqual(["asked for kyc_1"]);
    expect(observed).toContain("kyc_attempt");
  });

  it.each([{ outcome: "not-found" } as const, unknown])(
    "plans on, and sends nothing, when it hears $outcome",
    async (found) => {
      const { ports, told, plans } = setUp({ found });
      expect(await askByHand(ports, "kyc_1")).toMatchObject({
        asked: found,
        after: { record: { settlement: "unsettled" }, job: { heldAt: expect.any(Date) } },
      });
      expect(told).toEqual(["asked for kyc_1"]);
      expect(plans).toHaveLength(1);
    },
  );

  it("tells when the answer could not be stored", async () => {
    const { ports } = setUp({ found: approved });
    ports.kycRecords.storeVerdict = () => Promise.reject(new Error("away"));
    expect(await askByHand(ports, "kyc_1")).toMatchObject({ asked: approved, after: null });
  });

  it("tells when another attempt took over before the answer was stored", async () => {
    const { ports } = setUp({ found: approved });
    const { storeVerdict } = ports.kycRecords;
    ports.kycRecords.storeVerdict = async (...given) => {
      const { before } = await storeVerdict(...given);
      const record = { ...before, attempt: before.attempt + 1 };
      return { before: record, record };
    };
    expect(await askByHand(ports, "kyc_1")).toMatchObject({ asked: approved, after: null });
  });

  it("says until when another attempt owns the record, and asks nothing", async () => {
    const { ports, told, own } = setUp({ found: approved });
    own();
    await expect(askByHand(ports, "kyc_1")).rejects.toThrow(
      "Another attempt has it until 1970-01-01T00:00:30.000Z",
    );
    expect(told).toEqual([]);
  });

  it("says when there is no such record", async () => {
    const { ports } = setUp({ found: approved });
    for (const act of [askByHand, resendByHand])
      await expect(act(ports, "kyc_none")).rejects.toThrow("There is no KYC record kyc_none.");
  });
});

describe("sending again by hand", () => {
  it("sends what is stored, under its reference, once the provider says that it does not know it", async () => {
    const { ports, told } = setUp({ found: { outcome: "not-found" }, sent: approved });
    expect(await resendByHand(ports, "kyc_1")).toMatchObject({
      asked: { outcome: "not-found" },
      sent: approved,
      after: { record: { status: "APPROVED", attempt: 7 } },
    });
    expect(told).toEqual(["asked for kyc_1", 'sent kyc_1 {"name":"N"}']);
  });

  it.each<Found>([approved, { outcome: "refused" }, unknown])(
    "sends nothing when the provider answers $outcome",
    async (found) => {
      const { ports, told } = setUp({ found });
      expect(await resendByHand(ports, "kyc_1")).toMatchObject({ asked: found, sent: null });
      expect(told).toEqual(["asked for kyc_1"]);
    },
  );

  it("sends nothing when that answer could not be stored", async () => {
    const { ports, told } = setUp({ found: { outcome: "not-found" } });
    ports.kycRecords.reschedule = () => Promise.reject(new Error("away"));
    expect(await resendByHand(ports, "kyc_1")).toMatchObject({ sent: null, after: null });
    expect(told).toEqual(["asked for kyc_1"]);
  });

  it("sends nothing when another attempt came between asking and sending", async () => {
    const { ports, told } = setUp({ found: { outcome: "not-found" } });
    const { reschedule } = ports.kycRecords;
    ports.kycRecords.reschedule = async (...given) => {
      await reschedule(...given);
      await ports.desk.take("kyc_1", { step: "ask" });
      await reschedule(...given);
    };
    await expect(resendByHand(ports, "kyc_1")).rejects.toThrow("Another attempt came in between");
    expect(told).toEqual(["asked for kyc_1"]);
  });

  it("is for unsettled records only", async () => {
    const { ports, told } = setUp({ found: approved });
    await askByHand(ports, "kyc_1");
    await expect(resendByHand(ports, "kyc_1")).rejects.toThrow("The record is settled");
    expect(told).toHaveLength(1);
  });
});

describe("settling by hand", () => {
  it("is a person's word for what the provider has done, once", async () => {
    const { ports } = setUp({ found: unknown });
    expect(await settleByHand(ports.desk, "kyc_1", { outcome: "refused" })).toMatchObject({
      before: { record: { settlement: "unsettled" } },
      after: { record: { settlement: "refused" }, job: { heldAt: null } },
    });
    await expect(settleByHand(ports.desk, "kyc_1", { outcome: "refused" })).rejects.toThrow(
      "The record is settled",
    );
    await expect(settleByHand(ports.desk, "kyc_none", { outcome: "refused" })).rejects.toThrow(
      "There is no KYC record kyc_none.",
    );
  });
});
