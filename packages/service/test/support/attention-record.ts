import {
  type AuditOrigin,
  applyManualDecision,
  applyVerdict,
  type KycAdmin,
  type KycRecord,
  type KycRecords,
  type KycSubmission,
  newState,
  type ProviderReply,
  type RetryPlan,
  type Step,
} from "@cardbridge/domain";
import { exampleDetails } from "../../src/records/example.ts";
import { fakePorts } from "./fake-ports.ts";

export const approved: ProviderReply = {
  outcome: "answered",
  subStatus: "approved",
  cardAccountId: "acct_1",
  revision: 1,
};
export const unknown: ProviderReply = { outcome: "unknown", reason: "deadline" };

/**
 * Ports with one record `kyc_1` of `plt_1` that needs attention, and a provider with these replies. Collects the calls
 * to the provider.
 */
export function attentionRecord(replies: { found: ProviderReply; sent?: ProviderReply }) {
  let record: KycRecord = {
    ...newState,
    kycRecordId: "kyc_1",
    externalUserId: "usr_1",
    attempt: 5,
    createdAt: new Date(0),
  };
  let step: Step = "send";
  let leased = false;
  const calls: string[] = [];
  const plans: RetryPlan[] = [];
  const leasedBy: AuditOrigin[] = [];

  const none = fakePorts().ports;
  const kycAdmin: KycAdmin = {
    ...none.kycAdmin,
    platformOf: async () => "plt_1",
    async show(id) {
      if (id !== "kyc_1") return null;
      const resolved = record.resolution !== "unresolved";
      return {
        ...exampleDetails,
        ...record,
        platformId: "plt_1",
        version: "1",
        step,
        createdAt: record.createdAt.toISOString(),
        needsAttentionSince: resolved ? null : new Date(0).toISOString(),
        history: [],
      };
    },
    async lease(id, next, by) {
      if (id !== "kyc_1") return null;
      if (leased) return { kind: "busy", until: new Date(30_000) };
      if (next.step === "send" && next.after !== record.attempt) return { kind: "busy", until: null };
      record = { ...record, attempt: record.attempt + 1 };
      leased = true;
      step = next.step;
      leasedBy.push(by);
      return { kind: "leased", platformId: "plt_1", kycRecordId: id, attempt: record.attempt };
    },
    async resolve(id, { decision, version }) {
      if (id !== "kyc_1") return null;
      if (version !== undefined && version !== "1") return "changed";
      const before = record;
      record = applyManualDecision(record, decision);
      return { before, record };
    },
  };
  const { ports, observed, audited } = fakePorts({
    kycAdmin,
    provider: {
      ...none.provider,
      findKyc: async ({ reference }) => {
        calls.push(`asked for ${reference}`);
        return replies.found;
      },
      submitKyc: async ({ reference, applicant }) => {
        calls.push(`sent ${reference} ${JSON.stringify(applicant)}`);
        return replies.sent ?? unknown;
      },
    },
  });
  const kycRecords: KycRecords = {
    ...ports.kycRecords,
    loadAttempt: async () => ({
      record,
      submission: { memberId: "m", name: "N" } as KycSubmission,
      fingerprint: "a fingerprint",
      step,
      notFound: 0,
    }),
    async storeVerdict(_platform, _attempt, verdict) {
      const before = record;
      record = applyVerdict(record, verdict);
      leased = false;
      return { before, record };
    },
    async reschedule(_platform, _attempt, plan) {
      leased = false;
      plans.push(plan);
    },
  };
  return {
    ports: { ...ports, kycRecords },
    calls,
    plans,
    leasedBy,
    observed,
    audited,
    lease() {
      leased = true;
    },
  };
}
