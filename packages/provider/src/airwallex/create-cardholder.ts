import type { ProviderKycRequest, ProviderReply, StepResult } from "@cardbridge/domain";
import { isUnsent } from "../http/call-result.ts";
import { failedReply, invalidReply, type ReplyContext } from "../kyc/failed-reply.ts";
import { parseAnswer } from "./answers.ts";
import type { AirwallexClient } from "./client.ts";
import { clientErrorOf, meaningOf } from "./client-errors.ts";
import { cardholdersPath } from "./find-by-email.ts";
import { refusal } from "./reasons.ts";
import { isSameEmail } from "./same-cardholder.ts";
import { type Cardholder, cardholder, type NewCardholder } from "./wire.ts";

/** The step that is stored right before a creation. It counts equal answers whose meaning is unknown. */
export const creationStep = "creation";

/** Whether a cardholder with an unknown id may exist, because a creation was sent and may have been executed. */
export function mayHaveCreated(creation: StepResult | undefined): boolean {
  return creation !== undefined && creation.executed !== "no";
}

/** The number of equal answers after which an operator has to look at the submission. */
const maxEqualAnswers = 3;

interface Options {
  client: Pick<AirwallexClient, "create">;
  steps: ProviderKycRequest["steps"];
  context: ReplyContext;
  /** The step of an earlier creation. */
  previous: StepResult | undefined;
  /** The remaining time for the call, in milliseconds. */
  ms(): number;
}

/** Creates a cardholder after the search found none with the e-mail address. */
export async function createCardholder(
  body: NewCardholder,
  { client, steps, context, previous, ms }: Options,
): Promise<{ created: Cardholder } | { failed: ProviderReply }> {
  const uncertain = mayHaveCreated(previous);
  const { executed: _, ...earlier } = previous ?? {};
  const mark = { ...earlier, at: String(context.now) };
  await steps.keep(creationStep, mark);
  const result = await client.create(`${cardholdersPath}/create`, body, ms());

  const error = clientErrorOf(result);
  const meaning = error && meaningOf(error);
  const isNotExecuted = isUnsent(result) || ["refused", "misconfigured", "retry"].includes(meaning ?? "");
  if (isNotExecuted && !uncertain) await steps.keep(creationStep, { ...mark, executed: "no" });
  if (isUnsent(result)) {
    return { failed: failedReply(result, { ...context, failed: uncertain ? "unknown" : "unsent" }) };
  }
  // An earlier creation may have created the cardholder, and the list may not show it yet. Then no error is final.
  if (meaning === "refused" && !uncertain) return { failed: refusal(error?.source) };
  // The search found no cardholder with the e-mail address, so the number is taken.
  if (meaning === "taken" && !uncertain) {
    return { failed: refusal(error?.source === "email" ? undefined : "mobile_number") };
  }
  if (error && (meaning === "taken" || meaning === "refused" || meaning === "undocumented")) {
    const { reason } = error;
    const times = previous?.answer === reason ? Number(previous.times) + 1 : 1;
    await steps.keep(creationStep, { ...mark, answer: reason, times: String(times) });
    return {
      failed: { outcome: "unknown", reason, ...(times >= maxEqualAnswers && { needsAttention: true }) },
    };
  }

  const parsed = parseAnswer(result, cardholder, context);
  if ("failed" in parsed) return parsed;
  return isSameEmail(parsed.data.email, body.email)
    ? { created: parsed.data }
    : { failed: invalidReply("mismatched", context) };
}
