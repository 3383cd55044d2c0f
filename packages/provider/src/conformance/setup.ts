import type { CardProvider, ProviderKycRequest, ProviderSteps } from "@cardbridge/domain";

/** Optional abilities of a provider. Each trait adds tests. */
export interface Traits {
  /** It stores references, so it executes each reference once and supports queries by reference. */
  references: boolean;
  /** It gives reasons for refusals and rejections. */
  reasons: boolean;
  /** It lists what it executed by time, with the fingerprints of submissions. */
  executions: boolean;
  /** It asks for documents, and takes each answer once. */
  requests: boolean;
  /** It renews approvals: `ProviderCapabilities.renews`. */
  renews: boolean;
}

/** How the provider treats a submission. The e-mail address selects the scenario. */
export type Scenario =
  | "approved"
  | "pending"
  | "new-status"
  | "refused"
  | "refused-expired"
  | "rejected-expired"
  | "unknown-reason"
  | "restricted-reason"
  | "invalid-reasons"
  | "answer-lost"
  | "request-lost"
  | "mismatched"
  | "asks-document"
  | "asks-answer-lost"
  | "asks-request-lost"
  | "asks-refused"
  | "renewal-refused"
  | "renewal-answer-lost";

export interface IssuedCard {
  cardId: string;
  /** The raw status. */
  status: string;
  /** RFC 3339, in UTC. */
  createdAt: string;
}

/** The inputs of the suite, from the provider or from a fake with the same contract. */
export interface ConformanceSetup {
  /** The adapter under test. Its deadlines must not pass on a slow machine, only with `passDeadline`. */
  provider: CardProvider;
  /**
   * Returns an e-mail address for a scenario.
   * - `approved`: approved immediately, with a card account
   * - `pending`: pending for the time of the test
   * - `new-status`: a status that the domain does not map
   * - `refused`: the documented refusal, without a reason
   * - `refused-expired`: refused because the document has expired
   * - `rejected-expired`: rejected because the document has expired; another submission will not help
   * - `unknown-reason`: refused for a reason that is unknown to the adapter
   * - `restricted-reason`: refused finally, for a reason that only compliance may see
   * - `invalid-reasons`: refused for more than `maxReasons` reasons, with unknown fields and a long text among them
   * - `answer-lost`: the first submission is executed but gets no response
   * - `request-lost`: the first submission is neither executed nor answered; the second is approved or pending
   * - `mismatched`: every response contains another reference and another user
   * - `asks-document`: pending for the time of the test unless answered, with one open document request
   * - `asks-answer-lost`: as `asks-document`; the first answer takes effect but gets no response
   * - `asks-request-lost`: as `asks-document`; the first answer takes no effect and gets no response
   * - `asks-refused`: as `asks-document`; the first answer is refused
   * - `renewal-refused`: as `approved`; a renewal gets the documented refusal
   * - `renewal-answer-lost`: as `approved`; the first submission of a renewal is executed but gets no response
   *
   * `mismatched` requires the trait `references`; the scenarios with reasons require the trait `reasons`; those that
   * ask require the trait `requests`, and those of renewals the trait `renews`.
   */
  emailFor(scenario: Scenario): string | Promise<string>;
  /** The raw statuses of an approved and of a pending submission. */
  statuses: { approved: string; pending: string };
  /** Raw statuses of cards. The third is a status that the interface does not define. */
  cardStatuses: { active: string; locked: string; other: string };
  /** Ends the deadline of a running submission, which gets no response, once the provider has handled it. */
  passDeadline(request: ProviderKycRequest): Promise<void>;
  /** Registers a user at the provider with exactly these cards. */
  issueCards(userReference: string, cards: readonly IssuedCard[]): Promise<void>;
  /** The steps of a submission of this user, for an adapter that finds ids of an earlier one. Default: in memory. */
  stepsOf?(userReference: string): ProviderSteps;
  /** The executions of a submission at the provider, each with the received data. */
  executions(request: ProviderKycRequest): Promise<readonly unknown[]>;
  /** Required by the trait `requests`. */
  documents?: {
    /** The answers of a submission that took effect at the provider, each with the received data. */
    answers(request: ProviderKycRequest): Promise<readonly unknown[]>;
    /** What an answer contains of its file: the URL `https://files.example/answer.png`, or what its bytes became. */
    received: string;
    /** Ends the deadline of a running answer, which gets no response, once the provider has handled it. */
    passDeadline(request: ProviderKycRequest): Promise<void>;
  };
  close(): Promise<void>;
}
