import * as z from "zod";
import { formatHelp } from "../input/format.ts";
import { kycExplanation } from "./reasons.ts";
import { knownSubStatuses } from "./status.ts";

formatHelp["card-account-id"] = "1 to 256 visible ASCII characters, no spaces.";
const cardAccountId = z
  .stringFormat("card-account-id", /^[\x21-\x7e]{1,256}$/)
  .nullable()
  .default(null);

/** Why the provider refused or rejected the submission. */
const why = { explanation: kycExplanation.optional() };

/** The provider's decision, as an operator enters it. */
export const manualDecision = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.literal("answered"), subStatus: z.enum(knownSubStatuses), cardAccountId, ...why }),
  z.object({ outcome: z.literal("refused"), ...why }),
]);
export type ManualDecision = z.output<typeof manualDecision>;

/** Whether a decision approves the user or ties a card account: two persons decide it (gap G38). */
export function needsTwoPersons(decision: ManualDecision): boolean {
  return (
    decision.outcome === "answered" && (decision.subStatus === "approved" || decision.cardAccountId !== null)
  );
}
