import type { Observer, ProviderIds, ProviderKycRequest, ProviderReply } from "@cardbridge/domain";
import { isUnsent } from "../http/call-result.ts";
import { failedReply, invalidReply, type ReplyContext } from "../kyc/failed-reply.ts";
import { parseAnswer, refusalOf } from "./answers.ts";
import { toNewCardholder } from "./cardholder-request.ts";
import type { AirwallexClient } from "./client.ts";
import { cardholdersPath, findByEmail } from "./find-by-email.ts";
import { explanationOf } from "./reasons.ts";
import { retrieve } from "./retrieve.ts";
import { isSameCardholder, isSameEmail } from "./same-cardholder.ts";
import { toVerdict } from "./statuses.ts";
import { uploadFiles } from "./uploads.ts";
import { type Cardholder, cardholder, type NewCardholder } from "./wire.ts";

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
/** Stored right before a creation is sent: from then on, a cardholder with an unknown id may exist. */
const creationStep = "creation";

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

  // If a creation was marked, the failure of another call does not prove that there is no cardholder.
  const marked = (await steps.done(creationStep)) !== undefined;
  const beforeCreation: ReplyContext = { ...context, failed: marked ? "unknown" : "unsent" };
  const uploaded = await uploadFiles(request, { client, context: beforeCreation, remaining });
  if ("failed" in uploaded) return uploaded.failed;

  const body = toNewCardholder(applicant, uploaded.files);
  const search = await findByEmail(body.email, { client, context: beforeCreation, ms: remaining() });
  if ("failed" in search) return search.failed;
  if (search.found) return adopt(search.found, body, { marked, ids, steps, context });

  await steps.keep(creationStep, { at: String(now()) });
  const result = await client.create(`${cardholdersPath}/create`, body, remaining());
  if (isUnsent(result)) return failedReply(result, beforeCreation);

  const refusal = refusalOf(result);
  if (refusal?.code === "invalid_argument") return refused(refusal.source);
  // Another cardholder has the e-mail address or the mobile number. An earlier creation may have created it.
  if (refusal?.code === "bad_request" && !marked) return refused();

  const created = parseAnswer(result, cardholder, context);
  if ("failed" in created) return created.failed;
  if (!isSameEmail(created.data.email, body.email)) return invalidReply("mismatched", context);
  return keepCardholder(created.data, steps);
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
  if (owner !== null) return refused();
  if (marked && isSameCardholder(found, sent)) return keepCardholder(found, steps);
  return invalidReply("mismatched", context);
}

async function keepCardholder(found: Cardholder, steps: ProviderKycRequest["steps"]): Promise<ProviderReply> {
  await steps.keep(cardholderStep, { id: found.cardholder_id });
  return toVerdict(found);
}

function refused(source?: unknown): ProviderReply {
  return { outcome: "refused", explanation: explanationOf(source) };
}
