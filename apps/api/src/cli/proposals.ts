import { type Proposal, proposalHours } from "@cardbridge/domain";
import type { NounDetails, Report } from "./details.ts";

export const proposals = {
  list: {
    columns: {
      proposals: "proposalId kind state platformName externalUserId proposedBy proposedAt expiresAt",
    },
  },
  get: { requires: ["keys"] },
  withdraw: { requires: ["keys"] },
} satisfies NounDetails<"proposals">;

/** Reports a proposal, so that nobody takes it for the act. Without one, the act is done and has its own report. */
export function reportProposed({ proposal }: { proposal: Proposal | null }): Report {
  if (!proposal) return {};
  const waits = `another person confirms it in the console within ${proposalHours} hours`;
  return { text: `Proposed ${proposal.proposalId}: ${waits}. Nothing changed yet.` };
}
