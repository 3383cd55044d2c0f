import type { Predicate } from "../input/rule.ts";
import { hongKongPolicies } from "./hong-kong.ts";
import { afterRejection, type ResubmissionPolicy } from "./resubmission.ts";

/** The seams through which decisions of the gap register can be changed. See gaps.ts. */
export interface Policies {
  /** Who counts as a Hong Kong user (gap G9). */
  hongKong: Predicate;
  /** Whether a document that has expired is accepted (gap G25). */
  documentExpiry: "any" | "future";
  /** Where file URLs may point, as origins; empty for anywhere (gap G21). */
  fileOrigins: readonly string[];
  /** What a second submission of the same user means (gap G16). */
  resubmission: ResubmissionPolicy;
  now(): Date;
}

export const defaultPolicies: Policies = {
  hongKong: hongKongPolicies.documentCountry,
  documentExpiry: "any",
  fileOrigins: [],
  resubmission: afterRejection,
  now: () => new Date(),
};
