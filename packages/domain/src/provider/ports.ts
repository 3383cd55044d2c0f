import type { Card } from "../cards/card.ts";
import type { OwnedCard } from "../cards/get.ts";
import type { PageSlice } from "../input/pagination.ts";
import type { AnswerFile } from "../kyc/document-requests.ts";
import type { AskedSubmission, KycReference, ProviderReply } from "../kyc/provider-reply.ts";
import type { ProviderDocumentRequest } from "../kyc/provider-request.ts";
import type { KycReasonCode } from "../kyc/reasons.ts";
import type { ProviderSteps } from "../kyc/steps.ts";
import type { KycSubmission } from "../kyc/submission.ts";
import type { KycVerdict, OrderedVerdict } from "../kyc/verdict.ts";
import type { SandboxAct } from "../sandbox/act.ts";
import type { CardUpdated } from "../webhooks/events.ts";
import type { ProviderFiles } from "./files.ts";

/** The external card provider. */
export interface CardProvider {
  /**
   * Lists one page of a user's cards, newest first, then by cardId. The list is empty if the provider does
   * not know the user.
   * @throws Failure PROVIDER_TIMEOUT, PROVIDER_UNAVAILABLE or PROVIDER_ANSWER_INVALID; CARD_LIST_TOO_LONG from
   *   an adapter that counts the cards itself.
   */
  listCards(request: CardListRequest, signal?: AbortSignal): Promise<PageSlice<Card>>;
  /**
   * Finds a card of any user by its id; null if there is none. The caller checks its owner.
   * @throws Failure as `listCards`.
   */
  findCard(cardId: string, signal?: AbortSignal): Promise<OwnedCard | null>;
  /**
   * Sends a submission under its idempotency reference, in one or more calls within one deadline. Rejects only with
   * errors of `request.steps` and `request.files`. `unsent` means that the submission provably has no effect. The
   * results of its steps stay stored.
   */
  submitKyc(request: ProviderKycRequest): Promise<ProviderReply>;
  /**
   * Queries the outcome of a submission by its reference, or by the ids of its steps. `not-found`: the provider has no
   * complete submission, so it may be sent again, and continues after its stored steps. Rejects with errors of
   * `query.steps` only.
   */
  findKyc(query: ProviderKycQuery): Promise<ProviderReply>;
  /**
   * Sends the files that answer a document request, once: the provider keeps our reference, or `findKyc` shows the
   * request as answered afterwards. Rejects only with errors of `answer.steps` and `answer.files`. An adapter of a
   * provider that asks for no documents has no such method.
   */
  answerRequest?(answer: ProviderAnswer): Promise<AnswerReply>;
  /**
   * Finds the submissions that an event is about, by an id that only the provider knows. An adapter whose events name
   * the submission has no such method.
   * @throws Failure as `listCards`.
   */
  findAsked?(id: string): Promise<readonly AskedSubmission[]>;
  /**
   * Makes the provider act on a user's submission or card, as its own staff would (gap G45). Only the adapter of a
   * provider for tests has this method. Equal acts with one key happen once.
   * @throws Failure as `listCards`; SANDBOX_ACT_CONFLICT if the state does not allow the act.
   */
  act?(act: ProviderAct): Promise<ActResult>;
  /**
   * Lists one page of the submissions that the provider executed from a time on, oldest first. Null if the provider
   * cannot list them; an adapter without the call has no such method.
   * @throws Failure as `listCards`.
   */
  listExecutions?(request: ExecutionListRequest): Promise<ExecutionPage | null>;
}

export interface ExecutionListRequest {
  from: Date;
  /** The `nextCursor` of the previous page. */
  cursor?: string | undefined;
}

/** The answer to a document request, with the reference of the submission that it belongs to. */
export interface ProviderAnswer extends KycReference {
  /** The results of the submission's steps. */
  steps: ProviderSteps;
  /** The provider's id of the request. */
  requestId: string;
  /** Our reference of the answer: equal for every repetition of it. */
  answerReference: string;
  documents: readonly AnswerFile[];
  /** The answers to the requests that the provider takes `together` with this one. The reply is about all of them. */
  others?: readonly Pick<ProviderAnswer, "requestId" | "documents">[];
  files: ProviderFiles;
}

/** `refused`: the documented refusal of the files, so that the user may send others. */
export type AnswerReply =
  | { outcome: "accepted" }
  | { outcome: "refused"; reason: KycReasonCode }
  | Exclude<ProviderReply, KycVerdict | { outcome: "not-found" }>;

/** An act of a provider for tests: on the latest submission of a user, or on a card. */
export type ProviderAct = SandboxAct & {
  /** Equal acts with one key happen once. */
  key: string;
  userReference: string;
  /** The kycRecordId of the user's latest submission; null without one. */
  reference: string | null;
};

export interface ActResult {
  /** The card that the act issued or changed; null for an act on a submission. */
  cardId: string | null;
}

/** A submission that the provider executed, and its current state. */
export interface ProviderExecution extends KycReference {
  /** The fingerprint of the submission (`ProviderKycRequest`); null if the provider did not keep it. */
  fingerprint: string | null;
  executedAt: Date;
  verdict: OrderedVerdict;
}

export interface ExecutionPage {
  executions: ProviderExecution[];
  /** Null on the last page. */
  nextCursor: string | null;
}

/** A slot of a limited resource. */
export interface Slot {
  /** True until `release`. */
  readonly held: boolean;
  /** Releases the slot. Further calls do nothing. */
  release(): void;
}

/** The slots for calls to the provider, shared fairly among platforms. While the provider is paused, there are none. */
export interface ProviderSlots {
  /** Takes a slot; undefined if the holder cannot have one at once. */
  tryTake(holder: string): Slot | undefined;
  /** The number of slots that a holder (a platform, the key of an internal app, or the worker) could take now. Takes none. */
  room(holder: string): number;
  /** The maximum number of a platform's submissions that wait for a worker to send them (G22). */
  maxUnsent(platformId: string): number;
  /** The delay before a read can show a result of the provider, in seconds. */
  resultAfter(): number;
  /**
   * Runs work that calls the provider in a slot. Waits briefly for the slot.
   * @throws Failure PROVIDER_PAUSED, or SERVICE_UNAVAILABLE if no slot becomes free, without starting the work; any
   *   error of `work`.
   */
  run<T>(holder: string, work: () => Promise<T>): Promise<T>;
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
interface ProviderKycQuery extends KycReference {
  steps: ProviderSteps;
}

export interface ProviderKycRequest extends ProviderKycQuery {
  /**
   * A keyed hash of the platform and the submission without its files and its memberId. An adapter passes it on if the
   * provider lists executions, so that a resend finds the execution that a restored database forgot (G40).
   */
  fingerprint: string;
  /**
   * The submission without memberId, which never leaves the platform (interface, section 4.2, rule 4). It has the file
   * URLs of the request: `files` opens or signs them.
   */
  applicant: Omit<KycSubmission, "memberId">;
  files: ProviderFiles;
  /**
   * The reference of the approved submission that this one renews: the user keeps the account and the cards. Null for
   * any other submission (G44).
   */
  renews: string | null;
}

/**
 * An event of the provider: a verdict with its order (`kyc`), a notice to query a submission (`ask`), or the one
 * that the provider knows for an id (`lookup`), a document request with its own order (`request`), a changed card with
 * the event's id, an event with an invalid signature (`unsigned`) or body (`unreadable`), or any other event.
 */
export type ProviderEvent =
  | ({ kind: "kyc"; verdict: OrderedVerdict } & KycReference)
  | { kind: "ask"; about: AskedSubmission }
  | { kind: "lookup"; id: string }
  | ({ kind: "request"; request: ProviderDocumentRequest } & KycReference)
  | { kind: "card"; eventId: string; card: CardUpdated }
  | { kind: "unsigned" | "unreadable" | "other" };

export interface EventReader {
  /** The HTTP status that confirms an event to the provider. */
  acceptedStatus: 200 | 204;
  /** The headers without which an event cannot be signed. */
  signedHeaders: readonly string[];
  /** Verifies the signature of an event and parses it. Never throws. */
  read(headers: Headers, body: string): ProviderEvent;
}
