import type { Predicate } from "../input/rule.ts";
import { type ProviderCapabilities, unlimitedCapabilities } from "./capabilities.ts";
import { hongKongPolicies } from "./hong-kong.ts";
import { afterRejection, type ResubmissionPolicy } from "./resubmission.ts";

/** The decisions that are configurable (docs/platforms/decisions.md). */
export interface Policies {
  /** Decides whether a user is a Hong Kong user (G9). */
  hongKong: Predicate;
  /** Whether expired documents are accepted (G25). */
  documentExpiry: "any" | "future";
  /** The days before its expiry from which a document is expiring (G44). */
  expiryNoticeDays: number;
  /**
   * The accepted file URLs in addition to uploads to this service (G21): https URLs with public host names (`public`),
   * none (`uploads`), any, or URLs of the listed origins, each in the form of `new URL(…).origin`.
   */
  fileOrigins: "public" | "uploads" | "any" | readonly string[];
  /** The accepted URLs of webhook endpoints (G32): https, or also http to a loopback host, for development. */
  webhookUrls: "https" | "https-or-loopback";
  /** The origin of this service. */
  ownOrigin: string;
  /** Decides on a further submission of the same user (G16). */
  resubmission: ResubmissionPolicy;
  /** The fields and files that the provider supports (G34). */
  capabilities: ProviderCapabilities;
  /** Whether some acts need two persons (G38). */
  fourEyes: boolean;
  now(): Date;
}

export const defaultPolicies: Policies = {
  hongKong: hongKongPolicies.documentCountry,
  documentExpiry: "any",
  expiryNoticeDays: 60,
  fileOrigins: "public",
  webhookUrls: "https",
  ownOrigin: "http://127.0.0.1:3000",
  resubmission: afterRejection,
  capabilities: unlimitedCapabilities,
  fourEyes: true,
  now: () => new Date(),
};
