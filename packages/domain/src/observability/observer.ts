/** Receives events for the log and the metrics. */
export interface Observer {
  /** @param seconds the duration of the event, if it has one */
  observe(event: Observation, labels?: Labels, seconds?: number): void;
}

/**
 * Constants and ids of this service that describe an event; never values of a caller. Of the provider, only error codes
 * that an adapter has checked: small letters, digits and underscores.
 */
export type Labels = Readonly<
  Partial<
    Record<
      | "operation"
      | "resource"
      | "outcome"
      | "step"
      | "reason"
      | "field"
      | "route"
      | "method"
      | "status"
      | "platformId"
      | "kycRecordId"
      | "checkpoint"
      | "hash"
      | "root",
      string
    >
  >
>;

export type Observation =
  | "request"
  | "request_shed"
  | "operation_call"
  | "audit_checkpoint_created"
  | "audit_checkpoint_failed"
  | "command_line_act"
  | "issuer_keys_failed"
  | "kyc_attempt"
  | "provider_call"
  | "provider_card_field_malformed"
  | "provider_sub_status_unmapped"
  | "provider_reason_unmapped"
  | "provider_answer_mismatched"
  | "provider_answer_unreadable"
  | "provider_misconfigured"
  | "document_request_answer"
  | "kyc_outcome_unknown"
  | "kyc_final_reversed"
  | "kyc_approved_without_email"
  | "kyc_not_stored"
  | "kyc_not_loaded"
  | "slot_refused"
  | "rate_limit_not_shared"
  | "restored_record_unknown"
  | "user_erased"
  | "webhook_attempt"
  | "webhook_endpoint_disabled"
  | "worker_pass_failed";
