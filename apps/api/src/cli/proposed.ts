import { type Proposal, proposalHours } from "@cardbridge/domain";
import type { Report } from "./details.ts";

/** Reports a proposal, so that nobody takes it for the act. Without one, the act is done and has its own report. */
export function reportProposed({ proposal }: { proposal: Proposal | null }): Report {
  if (!proposal) return {};
  const waits = `another person confirms it in the console within ${proposalHours} hours`;
  return { text: `Proposed ${proposal.proposalId}: ${waits}. Nothing changed yet.` };
}
