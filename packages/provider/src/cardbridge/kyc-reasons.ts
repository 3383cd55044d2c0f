import { isRecord, type KycExplanation, type KycVerdict, maxReasons } from "@cardbridge/domain";
import { fieldPointer, reasonCodes, restrictedCodes } from "./reason-codes.ts";
import type { WireWhy } from "./wire.ts";

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
