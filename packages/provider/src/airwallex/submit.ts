import type { Observer, ProviderIds, ProviderKycRequest, ProviderReply } from "@cardbridge/domain";
import { invalidReply, type ReplyContext } from "../kyc/failed-reply.ts";
import { splitAddress } from "./addresses.ts";
import { toNewCardholder } from "./cardholder-request.ts";
import type { AirwallexClient } from "./client.ts";
import { createCardholder, creationStep, mayHaveCreated } from "./create-cardholder.ts";
import { findByEmail } from "./find-by-email.ts";
import { refusal } from "./reasons.ts";
import { retrieve } from "./retrieve.ts";
import { isSameCardholder } from "./same-cardholder.ts";
import { toVerdict } from "./statuses.ts";
import { uploadFiles } from "./uploads.ts";
import type { Cardholder, NewCardholder } from "./wire.ts";

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
  const split = splitAddress(applicant.contactAddress);
  if ("fault" in split) {
    return marked ? invalidReply("mismatched", context) : refusal("individual.address");
  }

  const uploaded = await uploadFiles(request, { client, context: beforeCreation, remaining });
  if ("failed" in uploaded) return uploaded.failed;

  const body = toNewCardholder(applicant, { address: split.address, files: uploaded.files });
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
