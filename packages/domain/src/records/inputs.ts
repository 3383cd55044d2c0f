import * as z from "zod";
import { isCardNumber } from "../cards/card-number.ts";
import { sha256 } from "../input/formats.ts";
import { isRecord } from "../input/is-record.ts";
import { listLimit } from "../input/pagination.ts";
import type { Rule } from "../input/rule.ts";
import { manualDecision, needsTwoPersons } from "../kyc/manual-decision.ts";
import { shownReply } from "../kyc/provider-reply.ts";
import { kycRecordId } from "../kyc/record-id.ts";
import { platformId } from "../platforms/platform.ts";
import { proposedFields, proposedResult } from "../proposals/proposal.ts";
import { recordDetails, recordSummary } from "./record.ts";

/** The usual delay between the attempts of a record is half a minute. */
export const attentionAfterSeconds = 600;

export const recordListQuery = z.object({
  platformId: platformId.optional(),
  needsAttention: z
    .literal(true)
    .optional()
    .meta({
      description:
        "Lists only records that need attention: workers no longer attempt them, or they have been unresolved for " +
        `more than ${attentionAfterSeconds / 60} minutes.`,
    }),
  limit: listLimit(50),
});

export const recordPage = z
  .object({
    records: z.array(recordSummary),
    more: z.boolean().meta({ description: "Whether more entries exist beyond the limit." }),
  })
  .meta({ id: "RecordPage" });

export const recordReference = z.object({ kycRecordId });

export const resolveRecordInput = z.object({
  kycRecordId,
  decision: manualDecision,
  ...proposedFields,
  evidenceHash: sha256.optional().meta({
    description:
      "The evidenceHash that the caller saw. Other evidence is a conflict. Absent: the current one.",
  }),
});

/** The service must not store a full card number. */
export const noCardNumber: Rule = {
  id: "no-card-number",
  section: "G8",
  description: "cardAccountId is not a card number.",
  check({ decision }) {
    const id = isRecord(decision) ? decision.cardAccountId : undefined;
    if (typeof id !== "string" || !isCardNumber(id)) return [];
    const path = ["decision", "cardAccountId"];
    return [{ path, rule: "no-card-number", message: "This is a card number. Send the card account's id." }];
  },
  schema: {},
};

/** Only a refusal or a rejection has reasons. */
export const explainsRejection: Rule = {
  id: "explanation-of-rejection",
  section: "G28",
  description: "explanation is sent with a refusal or with the status rejected only.",
  check({ decision }) {
    const { explanation, outcome, subStatus } = Object(decision) as Record<string, unknown>;
    if (explanation === undefined || outcome === "refused" || subStatus === "rejected") return [];
    const message = "Only a refusal or a rejection has reasons. Omit them.";
    return [{ path: ["decision", "explanation"], rule: "explanation-of-rejection", message }];
  },
  schema: {},
};

/** Two persons decide about an approval, and its note tells the second one why. */
export const explainsApproval: Rule = {
  id: "note-of-approval",
  section: "G38",
  description: "note is sent with an approval, and with every decision that names a card account.",
  check({ decision, note }) {
    const parsed = manualDecision.safeParse(decision);
    if (note !== undefined || !parsed.success || !needsTwoPersons(parsed.data)) return [];
    const message = "Say in a note why you approve it, or why it has this card account.";
    return [{ path: ["note"], rule: "note-of-approval", message }];
  },
  schema: {},
};

/** A record before and after an operator's attempt, with the provider's replies. */
export const recordAttempt = z
  .object({
    before: recordDetails,
    after: recordDetails.nullable().meta({ description: "Null if the reply could not be stored." }),
    asked: shownReply.meta({ description: "The provider's reply to the query." }),
    sent: shownReply
      .nullable()
      .meta({ description: "The provider's reply to the resent submission; null if nothing was sent." }),
  })
  .meta({ id: "RecordAttempt" });
export type RecordAttempt = z.output<typeof recordAttempt>;

export const resolvedRecord = z
  .object({ before: recordDetails, after: recordDetails, ...proposedResult })
  .meta({ id: "ResolvedRecord" });
