import * as z from "zod";
import { namedPerson } from "../identity/named-person.ts";
import { userState } from "../identity/user-state.ts";
import { moment, noteText, sha256 } from "../input/formats.ts";
import { idPattern } from "../input/id-pattern.ts";

/** How long a proposal waits for its confirmation, in hours. */
export const proposalHours = 24;

export const proposalId = z
  .stringFormat("proposal-id", idPattern(80))
  .meta({ description: "The proposal's id, such as prop_…." });

/** The acts that need two persons (gap G38). */
export const proposalKinds = ["approve", "relink", "erase", "liftHold"] as const;
export type ProposalKind = (typeof proposalKinds)[number];

/** `void`: what the proposer saw has changed, or the proposer is blocked. */
export const proposalStates = ["open", "confirmed", "withdrawn", "expired", "void"] as const;

/** An act that one person proposed, without personal data. */
export const proposal = z
  .object({
    proposalId,
    kind: z.enum(proposalKinds),
    state: z.enum(proposalStates).meta({
      description:
        "Only an open proposal can be confirmed or withdrawn. `void`: what the proposer saw has changed, or the proposer " +
        "is blocked.",
    }),
    platformId: z.string(),
    platformName: z.string(),
    externalUserId: z.string(),
    kycRecordId: z
      .string()
      .nullable()
      .meta({ description: "The record of an approval, or of a hold; null otherwise." }),
    holdId: z.string().nullable().meta({ description: "The hold to lift; null for other acts." }),
    evidenceHash: sha256
      .nullable()
      .meta({ description: "The evidence of an approval; null for other acts." }),
    evidenceOpened: z.object({ proposer: z.boolean(), caller: z.boolean() }).nullable().meta({
      description:
        "Whether each of them has opened this evidence, which a confirmation needs. Null unless an approval is open.",
    }),
    proposer: namedPerson.nullable().meta({ description: "Null for a proposal of the command line." }),
    proposedBy: z.string().meta({ description: "The actor, as in the audit." }),
    proposedAt: moment,
    expiresAt: moment,
    decidedBy: namedPerson.nullable().meta({ description: "Who confirmed or withdrew it; null otherwise." }),
    decidedAt: moment.nullable(),
    mayConfirm: z.boolean().meta({
      description: "Whether the caller may confirm it: it is open, and another person with the scope calls.",
    }),
    mayWithdraw: z.boolean(),
  })
  .meta({ id: "Proposal" });
export type Proposal = z.output<typeof proposal>;

/** A proposal with what it changes, for the person who decides. */
export const proposalDetails = proposal
  .extend({
    note: z.string().nullable().meta({ description: "What the proposer wrote; null after an erasure." }),
    subStatus: z
      .string()
      .nullable()
      .meta({ description: "The provider's status that an approval stores; null for other acts." }),
    cardAccountId: z.string().nullable().meta({ description: "The card account of an approval." }),
    email: z.string().nullable().meta({ description: "The new e-mail of a relink; null if it stays." }),
    memberId: z.string().nullable().meta({ description: "The new member id of a relink; null if it stays." }),
    reference: z.string().nullable().meta({ description: "The case of the hold to lift." }),
    whenProposed: userState.meta({ description: "The user when it was proposed." }),
    now: userState.meta({ description: "The user now." }),
  })
  .meta({ id: "ProposalDetails" });
export type ProposalDetails = z.output<typeof proposalDetails>;

/** In the input of an act that needs two persons. */
export const proposedFields = {
  version: z.stringFormat("version", idPattern(100)).optional().meta({
    description: "The version that the caller saw. Another one is a conflict. Absent: the current one.",
  }),
  note: noteText
    .optional()
    .meta({ description: "Why, for the person who confirms and for the record's notes." }),
};

/** In the output of an act that needs two persons. */
export const proposedResult = {
  proposal: proposal.nullable().meta({
    description:
      "The proposal that waits for another person, and nothing changed yet; null if the act is done.",
  }),
};
