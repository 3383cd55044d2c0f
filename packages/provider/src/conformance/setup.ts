import type { CardProvider } from "@cardbridge/domain";

/** How the provider is to treat a submission, chosen by its e-mail address. */
export type Treatment =
  | "approved"
  | "pending"
  | "new-status"
  | "refused"
  | "answer-lost"
  | "request-lost"
  | "foreign";

export interface IssuedCard {
  cardId: string;
  /** Raw. */
  status: string;
  /** RFC 3339, in UTC. */
  createdAt: string;
}

/** What the suite needs of a provider, or of a stand-in for it that keeps the same promises. */
export interface ConformanceSetup {
  /** Under test. Give its KYC calls a short deadline, a second or so: two tests wait for it. */
  provider: CardProvider;
  /**
   * An e-mail address whose submission is
   * - `approved` at once, with a card account; `pending` for a while
   * - `new-status`: answered with a status that the domain does not map
   * - `refused` as the provider documents it
   * - `answer-lost`: executed, but the first submission is never answered
   * - `request-lost`: not executed and never answered the first time, as usual the second
   * - `foreign`: answered under another reference and another user
   */
  emailFor(treatment: Treatment): string;
  /** Makes the provider know the user, with these cards and no others. */
  issueCards(userReference: string, cards: readonly IssuedCard[]): Promise<void>;
  /** Whatever the provider executed under a reference, with the data that it received: one item each time. */
  executions(reference: string): Promise<readonly unknown[]>;
  close(): Promise<void>;
}
