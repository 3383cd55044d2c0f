import * as z from "zod";
import { isCardNumber } from "../cards/card-number.ts";
import { noteText, sha256 } from "../input/formats.ts";
import { isRecord } from "../input/is-record.ts";
import { listLimit } from "../input/pagination.ts";
import type { Rule } from "../input/rule.ts";
import { manualDecision } from "../kyc/manual-decision.ts";
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
  note: noteText.meta({
    description: "Why, and who said it: for the person who confirms, and for the record's notes.",
  }),
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
