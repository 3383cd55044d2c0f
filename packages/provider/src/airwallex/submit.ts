import type {
  KycVerdict,
  Observer,
  ProviderIds,
  ProviderKycRequest,
  ProviderReply,
  StepResult,
} from "@cardbridge/domain";
import { isUnsent } from "../http/call-result.ts";
import { failedReply, invalidReply, type ReplyContext } from "../kyc/failed-reply.ts";
import { splitAddress } from "./addresses.ts";
import { parseAnswer } from "./answers.ts";
import {
  cardholdersPath,
  findByEmail,
  isSameCardholder,
  isSameEmail,
  retrieve,
  toVerdict,
} from "./cardholders.ts";
import type { AirwallexClient } from "./client.ts";
import { clientErrorOf, meaningOf } from "./client-errors.ts";
import { fieldPointer, toNewCardholder } from "./fields.ts";
import { uploadFiles } from "./uploads.ts";
import { type Cardholder, cardholder, type NewCardholder } from "./wire.ts";

/** The step that is stored right before a creation. It counts equal answers whose meaning is unknown. */
const creationStep = "creation";

/** The number of equal answers after which an operator has to look at the submission. */
const maxEqualAnswers = 3;

export interface SubmitOptions {
  client: AirwallexClient;
  ids: ProviderIds;
  observer: Observer;
  now(): number;
  /** The deadline of all calls of one submission together, in milliseconds. */
  deadlineMs: number;
}

/** The step with the cardholder's id, which finds the user of a card or an event. */
export const cardholderStep = "cardholder";

/**
 * Submits in steps: uploads the images, searches for the e-mail address, marks the creation, creates the cardholder.
 *
 * A creation has no request id and no field for the reference. After a lost response, the e-mail address finds the
 * cardholder, because it is unique in the account. The cardholder is adopted only if this submission marked its
 * creation, no other user has it, and it equals the submission. Otherwise the outcome is unknown: an operator decides.
 */
export async function submit(request: ProviderKycRequest, options: SubmitOptions): Promise<ProviderReply> {
  const { client, ids, observer, now, deadlineMs } = options;
  const { steps, applicant } = request;
  const context: ReplyContext = { operation: "submitKyc", observer, now: now() };
  const start = performance.now();
  const remaining = () => deadlineMs - (performance.now() - start);

  const kept = await steps.done(cardholderStep);
  if (kept?.id !== undefined) return retrieve(kept.id, { client, context, ms: remaining() });

  // After such a creation, the failure of another call does not prove that there is no cardholder.
  const previous = await steps.done(creationStep);
  const marked = mayHaveCreated(previous);
  const beforeCreation: ReplyContext = { ...context, failed: marked ? "unknown" : "unsent" };

  // The adapter's rule refuses such an address, unless another adapter accepted the submission.
  if (splitAddress(applicant.contactAddress).fault !== undefined) {
    return marked ? invalidReply("mismatched", context) : refusal("individual.address");
  }

  const uploaded = await uploadFiles(request, { client, context: beforeCreation, remaining });
  if ("failed" in uploaded) return uploaded.failed;

  const body = toNewCardholder(applicant, uploaded.files);
  const search = await findByEmail(body.email, { client, context: beforeCreation, ms: remaining() });
  if ("failed" in search) return search.failed;
  if (search.found) return adopt(search.found, body, { marked, ids, steps, context });

  const creation = await createCardholder(body, { client, steps, context, previous, ms: remaining });
  return "failed" in creation ? creation.failed : keepCardholder(creation.created, steps);
}

interface Adoption {
  marked: boolean;
  ids: ProviderIds;
  steps: ProviderKycRequest["steps"];
  context: ReplyContext;
}

/** Decides what to do with an existing cardholder that has the e-mail address. */
async function adopt(
  found: Cardholder,
  sent: NewCardholder,
  { marked, ids, steps, context }: Adoption,
): Promise<ProviderReply> {
  const owner = await ids.userOf(cardholderStep, found.cardholder_id);
  // A creation would be refused, because the e-mail address is taken. The reason does not reveal that: the user may
  // belong to another platform.
  if (owner !== null) return refusal(undefined);
  if (marked && isSameCardholder(found, sent)) return keepCardholder(found, steps);
  return invalidReply("mismatched", context);
}

async function keepCardholder(found: Cardholder, steps: ProviderKycRequest["steps"]): Promise<ProviderReply> {
  await steps.keep(cardholderStep, { id: found.cardholder_id });
  return toVerdict(found);
}

/** Whether a cardholder with an unknown id may exist, because a creation was sent and may have been executed. */
function mayHaveCreated(creation: StepResult | undefined): boolean {
  return creation !== undefined && creation.executed !== "no";
}

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
async function createCardholder(
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

/**
 * The refusal of a submission. Airwallex documents which field it refuses but no code for the reason, so every reason is
 * OTHER. No text of Airwallex is passed on.
 *
 * @param source the path of the field in Airwallex's request, as received
 */
function refusal(source: unknown): KycVerdict {
  const reason = { code: "OTHER", field: fieldPointer(source) } as const;
  return { outcome: "refused", explanation: { reasons: [reason], final: false } };
}
