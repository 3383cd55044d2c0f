import { randomUUID } from "node:crypto";
import type { ProviderReply, RetryPlan } from "@cardbridge/domain";
import { kycRecordsRepository } from "../../src/database.ts";
import type { Ports } from "../../src/index.ts";
import { keys, type Submitted, someone, type World } from "./world.ts";

export const approved: ProviderReply = {
  outcome: "answered",
  subStatus: "approved",
  cardAccountId: "acct_1",
  revision: 1,
};
export const unknown: ProviderReply = { outcome: "unknown", reason: "deadline" };
export const retryPlan: RetryPlan = { step: "ask", notFound: 1, delayMs: 60_000 };

/** A record that needs attention: its first attempt got no answer, and workers no longer attempt it. */
export async function needingAttention(world: World, platformId?: string): Promise<Submitted> {
  const one = await world.submitted(someone(randomUUID()), platformId);
  const impatient = kycRecordsRepository(world.database, { keys, holdAfterSeconds: 0 });
  await impatient.reschedule(one.platformId, one.record, retryPlan);
  return one;
}

/** A record that needs attention, and ports with a provider that replies this. Collects the calls to the provider. */
export async function attentionRecord(world: World, replies: { found: ProviderReply; sent?: ProviderReply }) {
  const one = await needingAttention(world);
  const calls: string[] = [];
  const observed: unknown[][] = [];
  const ports: Ports = {
    ...world.ports,
    kycRecords: { ...world.kyc },
    observer: { observe: (...event) => void observed.push(event) },
    provider: {
      ...world.ports.provider,
      findKyc: async ({ reference }) => {
        calls.push(`asked for ${reference}`);
        return replies.found;
      },
      submitKyc: async ({ reference, applicant }) => {
        calls.push(`sent ${reference} of ${applicant.name}`);
        return replies.sent ?? unknown;
      },
    },
  };
  return { ...one, ports, calls, observed };
}
