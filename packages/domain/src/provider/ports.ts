import type { Card } from "../cards/card.ts";
import type { OwnedCard } from "../cards/get.ts";
import type { PageSlice } from "../input/pagination.ts";
import type { AskedSubmission, KycReference, ProviderReply } from "../kyc/provider-reply.ts";
import type { ProviderSteps } from "../kyc/steps.ts";
import type { KycSubmission } from "../kyc/submission.ts";
import type { OrderedVerdict } from "../kyc/verdict.ts";
import type { CardUpdated } from "../webhooks/events.ts";
import type { ProviderFiles } from "./files.ts";

/** The external card provider. */
export interface CardProvider {
  /**
   * Lists one page of a user's cards, newest first, then by cardId. The list is empty if the provider does
   * not know the user.
   * @throws Failure PROVIDER_TIMEOUT, PROVIDER_UNAVAILABLE or PROVIDER_ANSWER_INVALID; CARD_LIST_TOO_LONG of
   *   an adapter that counts.
   */
  listCards(request: CardListRequest, signal?: AbortSignal): Promise<PageSlice<Card>>;
  /**
   * Finds a card of any user by its id; null if there is none. The caller checks whose it is.
   * @throws Failure as `listCards`.
   */
  findCard(cardId: string, signal?: AbortSignal): Promise<OwnedCard | null>;
  /**
   * Sends a submission under its idempotency reference, in one or more calls within one deadline. Rejects with errors of
   * `request.steps` and `request.files` only. `unsent` means that the submission provably has no effect; the results of
   * its steps stay.
   */
  submitKyc(request: ProviderKycRequest): Promise<ProviderReply>;
  /**
   * Queries the outcome of a submission by its reference, or by the ids of its steps. `not-found`: the provider has no
   * complete submission, so it may be sent again, and continues after its kept steps. Rejects with errors of
   * `query.steps` only.
   */
  findKyc(query: ProviderKycQuery): Promise<ProviderReply>;
}

/** A slot of something scarce. */
export interface Slot {
  /** True until `release`. */
  readonly held: boolean;
  /** Gives the slot back. Further calls do nothing. */
  release(): void;
}

/** The slots of calls to the provider, shared fairly among platforms. */
export interface ProviderSlots {
  /** A slot, if the platform gets one at once. */
  tryTake(platformId: string): Slot | undefined;
  /** The number of slots that a holder would get now: a platform, or the worker. It takes none. */
  room(holder: string): number;
  /** The number of a platform's submissions that may wait for a worker to send them (G22). */
  maxUnsent(platformId: string): number;
  /**
   * Runs work that calls the provider in a slot, for which it waits shortly.
   * @throws Failure SERVICE_UNAVAILABLE without a start of the work; any error of `work`.
   */
  run<T>(platformId: string, work: () => Promise<T>): Promise<T>;
}

export interface CardListRequest {
  /** The user's externalUserId. */
  userReference: string;
  /** Filters by the raw card status. */
  status?: string | undefined;
  page: number;
  pageSize: number;
}

/** A query about a submission, with the results of its steps. */
export interface ProviderKycQuery extends KycReference {
  steps: ProviderSteps;
}

export interface ProviderKycRequest extends ProviderKycQuery {
  /**
   * The submission without memberId, which never leaves the platform (interface, section 4.2, rule 4). Its file URLs are
   * those that the caller sent: `files` opens or signs them.
   */
  applicant: Omit<KycSubmission, "memberId">;
  files: ProviderFiles;
}

/**
 * An event of the provider: a verdict with its order, a reason to ask, a changed card with the event's id, an event of
 * another kind, or an event with an invalid signature or body.
 */
export type ProviderEvent =
  | ({ kind: "kyc"; verdict: OrderedVerdict } & KycReference)
  | { kind: "ask"; about: AskedSubmission }
  | { kind: "card"; eventId: string; card: CardUpdated }
  | { kind: "unsigned" | "unreadable" | "other" };

export interface EventReader {
  /** The HTTP status by which the provider knows that an event was accepted. */
  acceptedStatus: 200 | 204;
  /** Verifies the signature of an event and parses it. Never throws. */
  read(headers: Headers, body: string): ProviderEvent;
}
