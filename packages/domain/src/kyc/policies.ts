import type { Predicate } from "../input/rule.ts";
import { hongKongPolicies } from "./hong-kong.ts";
import { afterRejection, type ResubmissionPolicy } from "./resubmission.ts";

/** The configurable decisions of the gap register; see gaps/register.ts. */
export interface Policies {
  /** Decides whether a user is a Hong Kong user (gap G9). */
  hongKong: Predicate;
  /** Whether expired documents are accepted (gap G25). */
  documentExpiry: "any" | "future";
  /** The allowed origins of file URLs; empty allows all (gap G21). */
  fileOrigins: readonly string[];
  /** Decides on a further submission of the same user (gap G16). */
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
