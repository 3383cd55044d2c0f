import * as z from "zod";

const token = z.string().regex(/^[\x21-\x7e]{1,256}$/);

/** The name of a step, such as `cardholder` or `file:frontImageUrl`. */
export const stepName = token;

/**
 * The result of a step: ids that the provider generated, by name. It must not contain personal data, because it is
 * stored unencrypted. `ProviderIds` and events look up `id`.
 */
export const stepResult = z.record(z.string().regex(/^[a-zA-Z]{1,32}$/), token);
export type StepResult = Readonly<z.output<typeof stepResult>>;

/**
 * The stored results of the calls of one submission, such as an upload and a create. They belong to the record. Only
 * the attempt that owns the record reads or writes them.
 *
 * An adapter stores each result before its next call. It does not catch errors of these methods: the attempt then ends
 * as unknown. A call without a stored result is repeated, so it must be idempotent by our reference, or the adapter
 * must be able to query its outcome.
 */
export interface ProviderSteps {
  /**
   * The result of a step; undefined if none is stored.
   * @throws AttemptSuperseded, Failure SERVICE_UNAVAILABLE.
   */
  done(name: string): Promise<StepResult | undefined>;
  /**
   * Stores the result of a step durably, and replaces an earlier result.
   * @throws AttemptSuperseded, Failure SERVICE_UNAVAILABLE.
   */
  keep(name: string, result: StepResult): Promise<void>;
}

/** Another attempt owns the record, so this attempt must not read or write its steps. */
export class AttemptSuperseded extends Error {
  constructor() {
    super("Another attempt owns the record.");
    this.name = "AttemptSuperseded";
  }
}

/** Maps users to the ids that the provider generated for them, which are stored as results of steps. */
export interface ProviderIds {
  /** The latest `id` of a step of the user's submissions; null without one. @throws Failure SERVICE_UNAVAILABLE. */
  idOf(step: string, userReference: string): Promise<string | null>;
  /** The user of an `id` of a step; null without one. @throws Failure SERVICE_UNAVAILABLE. */
  userOf(step: string, id: string): Promise<string | null>;
}
