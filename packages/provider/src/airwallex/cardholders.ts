import type { KycStatus, KycVerdict, ProviderReply, ProviderSteps } from "@cardbridge/domain";
import { type FailedReply, invalidReply } from "../kyc/failed-reply.ts";
import { type Calls, parseAnswer } from "./answers.ts";
import { withRequests } from "./rfis.ts";
import { type Cardholder, cardholder, cardholderPage, type NewCardholder } from "./wire.ts";

export const cardholdersPath = "/api/v1/issuing/cardholders";

/** Queries a cardholder's current status, and what Airwallex asks about it. */
export async function retrieve(
  id: string,
  options: Calls & { steps: ProviderSteps },
): Promise<ProviderReply> {
  const read = await readCardholder(id, options);
  return "failed" in read ? read.failed : withRequests(toVerdict(read.found), id, options);
}

/**
 * Reads a cardholder. The reply is never `unsent` or `not-found`, because the cardholder was created: a
 * 404 means that the service uses another account or environment than before.
 */
export async function readCardholder(
  id: string,
  { client, context, remaining }: Calls,
): Promise<{ found: Cardholder } | { failed: FailedReply }> {
  const result = await client.read("kyc", `${cardholdersPath}/${encodeURIComponent(id)}`, {
    ms: remaining(),
  });
  const parsed = parseAnswer(result, cardholder, context);
  if ("failed" in parsed) return parsed;
  return parsed.data.cardholder_id === id
    ? { found: parsed.data }
    : { failed: invalidReply("mismatched", context) };
}

/**
 * Finds the cardholder with an e-mail address, unless it is deleted. The address is unique in an account (docs "Error
 * codes"). A response with other addresses or more pages means that the filter did not apply, so it is invalid.
 */
export async function findByEmail(
  email: string,
  { client, context, remaining }: Calls,
): Promise<{ found: Cardholder | undefined } | { failed: FailedReply }> {
  const query = new URLSearchParams({ email, page_num: "0", page_size: "10" });
  const result = await client.read("kyc", `${cardholdersPath}?${query}`, { ms: remaining() });
  const parsed = parseAnswer(result, cardholderPage, context);
  if ("failed" in parsed) return parsed;
  const { has_more, items } = parsed.data;
  if (has_more || items.some((item) => !isSameEmail(item.email, email))) {
    return { failed: invalidReply("mismatched", context) };
  }
  const present = items.filter(({ status }) => status !== "DELETED");
  if (present.length > 1) return { failed: invalidReply("mismatched", { ...context, failed: "unknown" }) };
  return { found: present[0] };
}

/** Airwallex's cardholder statuses, with the unified status of each (interface, section 3). */
const cardholderStatuses: ReadonlyMap<string, KycStatus> = new Map([
  // Information is missing: Airwallex requests it from the account's owner.
  ["INCOMPLETE", "PENDING"],
  ["PENDING", "PENDING_APPROVAL"],
  ["READY", "APPROVED"],
  ["DISABLED", "REJECTED"],
  ["DELETED", "REJECTED"],
]);

/**
 * Maps a cardholder to a verdict. The raw status is passed on unchanged; an unlisted status has no unified status.
 * An approved cardholder is the card account. Airwallex has no revision, time or reason.
 */
export function toVerdict({ cardholder_id, status }: Cardholder) {
  const unified = cardholderStatuses.get(status);
  return {
    outcome: "answered" as const,
    subStatus: status,
    ...(unified && { status: unified }),
    cardAccountId: unified === "APPROVED" ? cardholder_id : null,
    revision: null,
  } satisfies KycVerdict;
}

/** Whether two e-mail addresses are equal for Airwallex, which may ignore case. */
export function isSameEmail(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/**
 * Whether a cardholder has the submitted e-mail, type, names, birth date and mobile number. Airwallex may change the
 * case and the spaces of names and numbers.
 */
export function isSameCardholder(found: Cardholder, sent: NewCardholder): boolean {
  const { individual, mobile_number = sent.mobile_number, type = sent.type } = found;
  return (
    individual !== undefined &&
    isSameEmail(found.email, sent.email) &&
    type === sent.type &&
    individual.date_of_birth === sent.individual.date_of_birth &&
    isSameText(individual.name.first_name, sent.individual.name.first_name) &&
    isSameText(individual.name.last_name, sent.individual.name.last_name) &&
    digits(mobile_number) === digits(sent.mobile_number)
  );
}

const isSameText = (one: string, other: string) => plain(one) === plain(other);
const plain = (text: string) => text.trim().replace(/\s+/g, " ").toLowerCase();
const digits = (text: string) => text.replace(/\D/g, "");
