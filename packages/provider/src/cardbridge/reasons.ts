import {
  isRecord,
  type KycExplanation,
  type KycReasonCode,
  type KycVerdict,
  maxReasons,
  type RestrictedReason,
} from "@cardbridge/domain";
import { fieldPointer } from "./fields.ts";
import type { WireWhy } from "./wire.ts";

/** The provider's reasons that callers may see (docs/contribute/provider-contract.md), with the service's codes. */
const reasonCodes: ReadonlyMap<unknown, KycReasonCode> = new Map([
  ["document_unreadable", "DOCUMENT_UNREADABLE"],
  ["document_expired", "DOCUMENT_EXPIRED"],
  ["document_unsupported", "DOCUMENT_UNSUPPORTED"],
  ["document_mismatch", "DOCUMENT_MISMATCH"],
  ["selfie_unreadable", "SELFIE_UNREADABLE"],
  ["selfie_mismatch", "SELFIE_MISMATCH"],
  ["name_mismatch", "NAME_MISMATCH"],
  ["birth_date_mismatch", "BIRTHDAY_MISMATCH"],
  ["address_mismatch", "ADDRESS_MISMATCH"],
  ["supporting_document_missing", "SUPPORTING_DOCUMENT_MISSING"],
  ["supporting_document_insufficient", "SUPPORTING_DOCUMENT_INSUFFICIENT"],
  ["supporting_document_outdated", "SUPPORTING_DOCUMENT_OUTDATED"],
  ["file_unreachable", "FILE_UNREACHABLE"],
  ["file_type_unsupported", "FILE_TYPE_UNSUPPORTED"],
  ["under_age", "UNDER_AGE"],
  ["country_unsupported", "COUNTRY_UNSUPPORTED"],
]);

/** The provider's reasons that only compliance may see. */
const restrictedCodes: ReadonlyMap<unknown, RestrictedReason> = new Map([
  ["watch_list_match", "WATCH_LIST_MATCH"],
  ["sanctions_match", "SANCTIONS_MATCH"],
  ["fraud_suspected", "FRAUD_SUSPECTED"],
]);

/** The service's code of a reason that callers may see; undefined for a restricted, unknown or invalid one. */
export const reasonCodeOf = (code: unknown): KycReasonCode | undefined => reasonCodes.get(code);

/**
 * Maps the provider's reasons to the service's codes (G28): at most `maxReasons`, without duplicates. An unknown or
 * invalid reason becomes OTHER, so no text of the provider is passed on. Restricted reasons are returned separately:
 * with only restricted reasons, the verdict has no explanation, as if the provider had given no reason.
 */
export function toReasons({ reasons, final }: WireWhy): Pick<KycVerdict, "explanation" | "restricted"> {
  if (reasons === undefined && final === undefined) return {};
  const all = (Array.isArray(reasons) ? reasons : []).map(readReason);
  const restricted = [...new Set(all.flatMap(({ code }) => restrictedCodes.get(code) ?? []))];
  const shown = all.filter(({ code }) => !restrictedCodes.has(code)).map(toReason);
  const once = [...new Map(shown.map((reason) => [`${reason.code} ${reason.field}`, reason])).values()];
  if (restricted.length > 0 && once.length === 0) return { restricted };
  return {
    explanation: { reasons: once.slice(0, maxReasons), final: final === true },
    ...(restricted.length > 0 && { restricted }),
  };
}

function readReason(reason: unknown): { code?: unknown; field?: unknown } {
  return isRecord(reason) ? reason : {};
}

function toReason({ code, field }: ReturnType<typeof readReason>): KycExplanation["reasons"][number] {
  return { code: reasonCodes.get(code) ?? "OTHER", field: fieldPointer(field) };
}
