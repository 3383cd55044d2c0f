import type { CardProvider, ProviderKycRequest } from "@cardbridge/domain";

/** What not every provider can do. Each trait adds tests. */
export interface Traits {
  /** It knows our references, so that it executes each once, and answers queries about them. */
  references: boolean;
  /** It says why it refuses or rejects a submission. */
  reasons: boolean;
}

/** What the provider does with a submission. Its e-mail address chooses the scenario. */
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
  | "mismatched";

export interface IssuedCard {
  cardId: string;
  /** The raw status. */
  status: string;
  /** RFC 3339, in UTC. */
  createdAt: string;
}

/** What the suite needs from the provider, or from a fake that keeps the same contract. */
export interface ConformanceSetup {
  /** The adapter under test. Set the deadline of its KYC calls to about one second, because two tests wait for it. */
  provider: CardProvider;
  /**
   * Returns an e-mail address for a scenario.
   * - `approved`: approved immediately, with a card account
   * - `pending`: pending for the time of the test
   * - `new-status`: a status that the domain does not map
   * - `refused`: the documented refusal, without a reason
   * - `refused-expired`: refused because the document has expired
   * - `rejected-expired`: rejected because the document has expired; another submission is pointless
   * - `unknown-reason`: refused for a reason that the adapter does not know
   * - `restricted-reason`: refused for a reason that only compliance may know, and finally
   * - `invalid-reasons`: refused for more than `maxReasons` reasons, with unknown fields and a long text among them
   * - `answer-lost`: the first submission executes and gets no response
   * - `request-lost`: the first submission does not execute and gets no response; the second is approved or pending
   * - `mismatched`: every response names another reference and another user
   *
   * `mismatched` is for a provider that knows references; the scenarios with reasons, for one that has reasons.
   */
  emailFor(scenario: Scenario): string | Promise<string>;
  /** The raw statuses of an approved and of a pending submission. */
  statuses: { approved: string; pending: string };
  /** Raw statuses of cards. The provider may use the third, which the interface does not name. */
  cardStatuses: { active: string; locked: string; other: string };
  /** Registers a user at the provider with exactly these cards. */
  issueCards(userReference: string, cards: readonly IssuedCard[]): Promise<void>;
  /** The executions of a submission at the provider, each with the received data. */
  executions(request: ProviderKycRequest): Promise<readonly unknown[]>;
  close(): Promise<void>;
}
