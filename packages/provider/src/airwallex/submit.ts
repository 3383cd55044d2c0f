import type {
  KycVerdict,
  Observer,
  ProviderIds,
  ProviderKycRequest,
  ProviderReply,
  ProviderSteps,
  StepResult,
} from "@cardbridge/domain";
import { isUnsent } from "../http/call-result.ts";
import { failedReply, invalidReply, type ReplyContext } from "../kyc/failed-reply.ts";
import { splitAddress } from "./addresses.ts";
import { type Calls, parseAnswer } from "./answers.ts";
import {
  cardholdersPath,
  findByEmail,
  isSameCardholder,
  isSameEmail,
  readCardholder,
  retrieve,
  toVerdict,
} from "./cardholders.ts";
import { type AirwallexClient, startDeadline } from "./client.ts";
import { clientErrorOf, meaningOf } from "./client-errors.ts";
import { fieldPointer, toNewCardholder } from "./fields.ts";
import { withRequests } from "./rfis.ts";
import { uploadFiles } from "./uploads.ts";
import { type Cardholder, cardholder, type NewCardholder } from "./wire.ts";

/** The steps that are stored right before a creation, and right before an update. */
const creationStep = "creation";
const updateStep = "update";

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
 * Submits in steps: uploads the images, searches for the e-mail address, marks the creation, creates the cardholder. A
 * renewal updates the user's cardholder instead.
 *
 * A creation has no request id and no field for the reference. After a lost response, the e-mail address finds the
 * cardholder, because it is unique in the account. The cardholder is adopted only if this submission marked its
 * creation, no other user has it, and it equals the submission. Otherwise the outcome is unknown: an operator decides.
 */
export async function submit(request: ProviderKycRequest, options: SubmitOptions): Promise<ProviderReply> {
  const { client, ids, observer, now, deadlineMs } = options;
  const { steps, applicant, renews, userReference } = request;
  const context: ReplyContext = { operation: "submitKyc", observer, now: now() };
  const remaining = startDeadline(deadlineMs);

  const kept = await steps.done(cardholderStep);
  if (kept?.id !== undefined) return retrieve(kept.id, { client, steps, context, remaining });

  const renewed = renews === null ? null : await ids.idOf(cardholderStep, userReference);
  const step = renewed === null ? creationStep : updateStep;
  // After such a write, the failure of another call does not prove that nothing happened.
  const previous = await steps.done(step);
  const marked = previous !== undefined && previous.executed !== "no";
  const beforeWrite: ReplyContext = { ...context, failed: marked ? "unknown" : "unsent" };

  // The adapter's rule refuses such an address, unless another adapter accepted the submission.
  if (splitAddress(applicant.contactAddress).fault !== undefined) {
    return marked ? invalidReply("mismatched", context) : refusal("individual.address");
  }

  const uploaded = await uploadFiles(request, { client, context: beforeWrite, remaining });
  if ("failed" in uploaded) return uploaded.failed;

  const body = toNewCardholder(applicant, uploaded.files);
  const parts: Parts = { client, ids, steps, context, beforeWrite, previous, marked, remaining };
  return renewed === null ? create(body, parts) : update(renewed, body, parts);
}

interface Parts extends Calls {
  ids: ProviderIds;
  steps: ProviderSteps;
  beforeWrite: ReplyContext;
  /** The step of an earlier write, and whether that may have been executed. */
  previous: StepResult | undefined;
  marked: boolean;
}

/** Creates a cardholder, unless one has the e-mail address. */
async function create(body: NewCardholder, parts: Parts): Promise<ProviderReply> {
  const search = await findByEmail(body.email, { ...parts, context: parts.beforeWrite });
  if ("failed" in search) return search.failed;
  if (search.found) return adopt(search.found, body, parts);
  const creation = await writeCardholder({ path: "create", body, step: creationStep }, parts);
  if ("failed" in creation) return creation.failed;
  return isSameEmail(creation.written.email, body.email)
    ? keepCardholder(creation.written, parts)
    : invalidReply("mismatched", parts.context);
}

/**
 * Renews a verification by an update of the user's cardholder: Airwallex refuses a second one with the e-mail address,
 * which no update contains. After a lost response, the cardholder shows the update if that changed what it shows.
 * Otherwise the update is sent again, and a second one changes nothing.
 */
async function update(id: string, body: NewCardholder, parts: Parts): Promise<ProviderReply> {
  const { previous, marked, context } = parts;
  const read = await readCardholder(id, { ...parts, context: parts.beforeWrite });
  if ("failed" in read) return read.failed;
  const { found } = read;
  const isShown = isSameCardholder(found, { ...body, email: found.email });
  const isDone = marked && previous?.changes === "yes" && isShown;
  // Airwallex updates no cardholder that it disabled.
  if (isDone || toVerdict(found).status === "REJECTED") return keepCardholder(found, parts);

  const { individual, mobile_number } = body;
  const mark = { changes: isShown ? "no" : "yes" };
  const write = { path: `${encodeURIComponent(id)}/update`, body: { individual, mobile_number }, mark };
  const updated = await writeCardholder({ ...write, step: updateStep }, parts);
  if ("failed" in updated) return updated.failed;
  return updated.written.cardholder_id === id
    ? keepCardholder(updated.written, parts)
    : invalidReply("mismatched", context);
}

/** Decides what to do with an existing cardholder that has the e-mail address. */
async function adopt(found: Cardholder, sent: NewCardholder, parts: Parts): Promise<ProviderReply> {
  const owner = await parts.ids.userOf(cardholderStep, found.cardholder_id);
  // A creation would be refused, because the e-mail address is taken. The reason does not reveal that: the user may
  // belong to another platform.
  if (owner !== null) return refusal(undefined);
  if (parts.marked && isSameCardholder(found, sent)) return keepCardholder(found, parts);
  return invalidReply("mismatched", parts.context);
}

async function keepCardholder(found: Cardholder, parts: Parts): Promise<ProviderReply> {
  const { cardholder_id: id } = found;
  await parts.steps.keep(cardholderStep, { id });
  return withRequests(toVerdict(found), id, parts);
}

interface Write {
  /** The path after that of cardholders. */
  path: string;
  body: object;
  /** The step that is stored right before the write. It counts equal answers whose meaning is unknown. */
  step: string;
  /** What the step stores besides. */
  mark?: StepResult;
}

/** Creates or updates a cardholder, once: a write has no request id. */
async function writeCardholder(
  { path, body, step, mark: besides }: Write,
  { client, steps, context, previous, marked: uncertain, remaining }: Parts,
): Promise<{ written: Cardholder } | { failed: ProviderReply }> {
  const { executed: _, ...earlier } = previous ?? {};
  const mark = { ...earlier, ...besides, at: String(context.now) };
  await steps.keep(step, mark);
  const result = await client.create("kyc", `${cardholdersPath}/${path}`, body, remaining());

  const error = clientErrorOf(result);
  const meaning = error && meaningOf(error);
  const isNotExecuted = isUnsent(result) || ["refused", "misconfigured", "retry"].includes(meaning ?? "");
  if (isNotExecuted && !uncertain) await steps.keep(step, { ...mark, executed: "no" });
  if (isUnsent(result)) {
    return { failed: failedReply(result, { ...context, failed: uncertain ? "unknown" : "unsent" }) };
  }
  // An earlier write may have been executed, and a list may not show it yet. Then no error is final.
  if (meaning === "refused" && !uncertain) return { failed: refusal(error?.source) };
  // Nobody else has the e-mail address, so the number is taken.
  if (meaning === "taken" && !uncertain) {
    return { failed: refusal(error?.source === "email" ? undefined : "mobile_number") };
  }
  if (error && (meaning === "taken" || meaning === "refused" || meaning === "undocumented")) {
    const { reason } = error;
    const times = previous?.answer === reason ? Number(previous.times) + 1 : 1;
    await steps.keep(step, { ...mark, answer: reason, times: String(times) });
    return {
      failed: { outcome: "unknown", reason, ...(times >= maxEqualAnswers && { needsAttention: true }) },
    };
  }

  const parsed = parseAnswer(result, cardholder, context);
  return "failed" in parsed ? parsed : { written: parsed.data };
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
