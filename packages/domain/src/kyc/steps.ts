import * as z from "zod";

const token = z.string().regex(/^[\x21-\x7e]{1,256}$/);

/** The name of a step, such as `cardholder` or `file:frontImageUrl`. */
export const stepName = token;

/**
 * The result of a step: ids that the provider generated, by name. Never personal data, which the service stores encrypted
 * only. `id` is the one that `ProviderIds` and events find.
 */
export const stepResult = z.record(z.string().regex(/^[a-zA-Z]{1,32}$/), token);
export type StepResult = Readonly<z.output<typeof stepResult>>;

/**
 * The results of the calls that one submission takes, such as an upload and a create. They belong to the record, and
 * only the attempt that owns the record reads or writes them.
 *
 * An adapter keeps each result before its next call, and lets the errors of both methods pass: the attempt then ends as
 * unknown. A call whose result was not kept is repeated, so it is idempotent by our reference, or can be asked about.
 */
export interface ProviderSteps {
  /**
   * The result of a step; undefined if none is kept.
   * @throws AttemptSuperseded, Failure SERVICE_UNAVAILABLE.
   */
  done(name: string): Promise<StepResult | undefined>;
  /**
   * Keeps the result of a step durably, in place of an earlier one.
   * @throws AttemptSuperseded, Failure SERVICE_UNAVAILABLE.
   */
  keep(name: string, result: StepResult): Promise<void>;
}

/** Another attempt owns the record now, so this one neither reads nor writes its steps. */
export class AttemptSuperseded extends Error {
  constructor() {
    super("Another attempt owns the record.");
    this.name = "AttemptSuperseded";
  }
}

/** Finds users by the ids that the provider generated for them, which are kept as results of steps. */
export interface ProviderIds {
  /** The latest `id` of a step of the user's submissions; null if there is none. @throws Failure SERVICE_UNAVAILABLE. */
  idOf(step: string, userReference: string): Promise<string | null>;
  /** The user of an `id` of a step; null if there is none. @throws Failure SERVICE_UNAVAILABLE. */
  userOf(step: string, id: string): Promise<string | null>;
}
