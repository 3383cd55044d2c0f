import * as z from "zod";
import { externalUserId } from "../identity/identifier.ts";
import { searchCursor } from "../input/search-cursor.ts";
import { kycRecordId } from "../kyc/record-id.ts";
import { platformIds } from "../platforms/inputs.ts";
import { proposal, proposalId, proposalStates } from "./proposal.ts";

export const proposalReference = z.object({ proposalId });

export const proposalListQuery = z.object({
  platformIds,
  state: z.enum(proposalStates).optional(),
  waitingForMe: z.literal(true).optional().meta({ description: "Lists only what the caller may confirm." }),
  kycRecordId: kycRecordId.optional(),
  externalUserId: externalUserId.optional(),
  limit: z.int().min(1).max(100).default(50),
  cursor: searchCursor.optional(),
});
export type ProposalListQuery = z.output<typeof proposalListQuery>;

export const proposalPage = z
  .object({
    proposals: z.array(proposal).meta({ description: "Newest first." }),
    waitingForMe: z
      .int()
      .meta({ description: "The number of proposals that the caller may confirm, up to 1,000." }),
    nextCursor: searchCursor.nullable().meta({ description: "Null after the last page." }),
  })
  .meta({ id: "ProposalPage" });
export type ProposalPage = z.output<typeof proposalPage>;
