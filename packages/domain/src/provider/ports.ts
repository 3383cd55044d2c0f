import type { Card } from "../cards/card.ts";
import type { PageSlice } from "../input/pagination.ts";
import type { KycAnswer, KycReference, ProviderReply } from "../kyc/provider-reply.ts";
import type { KycSubmission } from "../kyc/submission.ts";
import type { KycVerdict } from "../kyc/verdict.ts";

/** The external card provider, as the domain needs it. */
export interface CardProvider {
  /**
   * One page of a user's cards, newest first, then by cardId (gap G7). A user whom the provider does not know
   * has none (gap G18).
   * @throws Failure PROVIDER_TIMEOUT, PROVIDER_UNAVAILABLE or PROVIDER_ANSWER_INVALID (gap G3).
   */
  listCards(request: CardListRequest, signal?: AbortSignal): Promise<PageSlice<Card>>;
  /** Sends a submission under its reference; the provider executes a reference once. Never throws. */
  submitKyc(request: ProviderKycRequest): Promise<KycAnswer>;
  /** Asks for the outcome of a reference. Never throws. */
  findKyc(reference: KycReference): Promise<ProviderReply>;
}

export interface CardListRequest {
  /** The user's externalUserId. */
  userReference: string;
  /** A raw status to filter by. */
  status?: string | undefined;
  page: number;
  pageSize: number;
}

export interface ProviderKycRequest extends KycReference {
  /** The submission without the platform's own memberId (interface, section 4.2, rule 4). */
  applicant: Omit<KycSubmission, "memberId">;
}

/** What the provider sends by itself: a verdict, something that we do not use, or nothing that can be trusted. */
export type ProviderEvent =
  | ({ kind: "kyc"; verdict: KycVerdict } & KycReference)
  | { kind: "unsigned" | "unreadable" | "other" };

export interface EventReader {
  /** Checks the signature of an event and reads it. Never throws. */
  read(headers: Headers, body: string): ProviderEvent;
}
