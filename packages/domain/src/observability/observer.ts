/** Receives events that the log writes and the metrics count. */
export interface Observer {
  observe(event: Observation, labels?: Labels): void;
}

/** Words and ids of ours that describe an event; never a value that a caller or the provider sent. */
export type Labels = Readonly<
  Partial<
    Record<
      "operation" | "outcome" | "step" | "reason" | "field" | "platformId" | "kycRecordId" | "seal" | "hash",
      string
    >
  >
>;

export type Observation =
  | "operation_call"
  | "audit_sealed"
  | "audit_not_sealed"
  | "kyc_attempt"
  | "provider_card_field_malformed"
  | "provider_sub_status_unmapped"
  | "provider_foreign_answer"
  | "provider_answer_unreadable"
  | "kyc_outcome_unknown"
  | "kyc_final_reversed"
  | "kyc_not_stored"
  | "kyc_not_loaded"
  | "user_erased"
  | "worker_pass_failed";
