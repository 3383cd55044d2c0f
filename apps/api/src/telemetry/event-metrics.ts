import {
  type AnswerReply,
  type Attempt,
  automaticReasons,
  card,
  type DeliveryDecision,
  type ErrorCode,
  type Labels,
  type Observation,
  type Observer,
  type ProviderReply,
  undeliveredReasons,
} from "@cardbridge/domain";
import { listOperations, type Operations, workerPasses } from "@cardbridge/service";
import { Counter, Histogram, type Registry } from "prom-client";
import { refusalReasons } from "../admission/refusals.ts";
import { resources } from "../admission/slots.ts";
import { restRoutes } from "../http/rest/routes.ts";
import { operationSeries, requestSeries, type ServedRoute } from "./call-series.ts";
import { declareSeries, type LabelValues, other } from "./series.ts";

const steps: Attempt["step"][] = ["send", "ask"];
const kycOutcomes: ProviderReply["outcome"][] = ["answered", "refused", "not-found", "unsent", "unknown"];
const attempts = { step: steps, outcome: kycOutcomes };

/** The calls of the provider's port, as its methods are called. The first fail with an error. */
const cardCalls = ["listCards", "findCard", "findAsked"];
const kycCalls = ["submitKyc", "findKyc"];
const providerCalls = [...cardCalls, ...kycCalls, "answerRequest", "act"];
const answerOutcomes: AnswerReply["outcome"][] = ["accepted", "refused", "unsent", "unknown"];
/** The outcomes of calls about cards. `cancelled`: the caller disconnected. */
const cardOutcomes: ("done" | "cancelled" | ErrorCode)[] = [
  "done",
  "cancelled",
  "PROVIDER_TIMEOUT",
  "PROVIDER_UNAVAILABLE",
  "PROVIDER_ANSWER_INVALID",
  "CARD_LIST_TOO_LONG",
];

const decisions: DeliveryDecision["kind"][] = ["delivered", "retry", "failed", "gone"];
const responseStatuses = ["1", "2", "3", "4", "5"].map((first) => `status-${first}xx`);

/** In seconds. */
const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const providerBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];

interface Sources {
  operations: Operations;
  /** Every route of the app; none in a process that serves no callers. */
  routes: readonly ServedRoute[];
}

/** Counts events, and measures those that take time. Every series exists from the start. */
export function createEventMetrics(registry: Registry, { operations, routes }: Sources): Observer {
  const registers = [registry];
  const requests = requestSeries(routes, restRoutes(operations));
  const commandLineWrites = listOperations(operations)
    .filter(({ actors, kind }) => kind === "write" && actors.includes("operator"))
    .map(({ id }) => id);

  function counter(name: string, help: string, ...values: LabelValues[]) {
    const series = declareSeries(...values);
    const metric = new Counter({ name, help, labelNames: series.labelNames, registers });
    for (const labels of series.all) metric.inc(labels, 0);
    return (labels: Labels) => metric.inc(series.of(labels));
  }

  function histogram(name: string, help: string, buckets: number[], ...values: LabelValues[]) {
    const series = declareSeries(...values);
    const metric = new Histogram({ name, help, buckets, labelNames: series.labelNames, registers });
    for (const labels of series.all) metric.zero(labels);
    return (labels: Labels, seconds: number) => metric.observe(series.of(labels), seconds);
  }

  const countAct = counter(
    "cardbridge_command_line_acts_total",
    "Successful writes of the command line, when a checkpoint covers their audit entries.",
    { operation: commandLineWrites },
  );
  const counters: Record<Observation, (labels: Labels) => void> = {
    request: counter(
      "cardbridge_http_requests_total",
      "Requests that reached the app, by route, or unknown. HEAD counts as GET of its route.",
      ...requests,
    ),
    request_shed: counter(
      "cardbridge_http_requests_shed_total",
      "Requests that were rejected before their body was read: their platform exceeds its rate, or is at its fair " +
        "limit of active operations (slots).",
      { reason: refusalReasons },
    ),
    operation_call: counter(
      "cardbridge_operation_calls_total",
      "Calls of operations, and passes, by outcome: done, replayed, or the error code. Each call of a batch counts.",
      ...operationSeries(listOperations(operations)),
    ),
    worker_pass_failed: counter(
      "cardbridge_worker_passes_failed_total",
      "Passes of the worker that failed, by operation. The log has the reason, and the next pass tries again.",
      { operation: workerPasses },
    ),
    provider_call: counter(
      "cardbridge_provider_calls_total",
      "Calls of the card provider by outcome. A retry within a call is not counted.",
      { operation: cardCalls, outcome: cardOutcomes },
      { operation: kycCalls, outcome: [...kycOutcomes, other] },
      { operation: ["answerRequest"], outcome: [...answerOutcomes, other] },
      { operation: ["act"], outcome: [...cardOutcomes, "SANDBOX_ACT_CONFLICT"] },
    ),
    provider_answer_unreadable: counter(
      "cardbridge_provider_answers_unreadable_total",
      "Responses of the card provider that violate its contract.",
      { operation: providerCalls },
    ),
    provider_answer_mismatched: counter(
      "cardbridge_provider_answers_mismatched_total",
      "Responses and events of the card provider about another user or record.",
      { operation: [...providerCalls, "event"] },
    ),
    restored_record_unknown: counter(
      "cardbridge_restored_records_unknown_total",
      "Events of the card provider about records or users that a restored database has forgotten.",
    ),
    provider_misconfigured: counter(
      "cardbridge_provider_misconfigured_total",
      "Errors of the card provider about the account, its keys or the service's requests. Only a change of the " +
        "configuration resolves them. The log has the reason.",
      { operation: kycCalls },
    ),
    provider_card_field_malformed: counter(
      "cardbridge_provider_card_fields_malformed_total",
      "Fields of cards that were malformed, or looked like a card number, and became null.",
      { field: [...Object.keys(card.shape), other] },
    ),
    provider_sub_status_unmapped: counter(
      "cardbridge_provider_sub_statuses_unmapped_total",
      "Unknown statuses of the card provider.",
    ),
    provider_reason_unmapped: counter(
      "cardbridge_provider_reasons_unmapped_total",
      "Unknown reasons of the card provider.",
    ),
    kyc_attempt: counter(
      "cardbridge_kyc_attempts_total",
      "Attempts to resolve a submission: send submits it, and ask queries its outcome.",
      attempts,
    ),
    document_request_answer: counter(
      "cardbridge_document_request_answers_total",
      "Answers to document requests that were sent to the card provider, by outcome. One that is not accepted stays due.",
      { outcome: ["accepted", "refused", "unsent", "unknown"] },
    ),
    kyc_outcome_unknown: counter(
      "cardbridge_kyc_outcomes_unknown_total",
      "Attempts without a usable response of the card provider. The log has the reason, and the record stays due.",
      attempts,
    ),
    kyc_not_stored: counter(
      "cardbridge_kyc_answers_not_stored_total",
      "Responses of the card provider that could not be stored. The record stays due.",
      { outcome: kycOutcomes },
    ),
    kyc_not_loaded: counter(
      "cardbridge_kyc_records_not_loaded_total",
      "Leased records that could not be loaded: wrong keys, a changed row, or no database. They stay due.",
    ),
    kyc_final_reversed: counter(
      "cardbridge_kyc_final_statuses_reversed_total",
      "Final statuses that the card provider replaced by the other one.",
    ),
    kyc_approved_without_email: counter(
      "cardbridge_kyc_approvals_without_email_total",
      "Approvals of users whose e-mail another user took. The platform has to set an e-mail.",
    ),
    user_erased: counter("cardbridge_users_erased_total", "Users whose personal data was destroyed."),
    webhook_attempt: counter(
      "cardbridge_webhook_attempts_total",
      "Webhook attempts by their outcome, and by the class of the response's status or the reason for no response.",
      { outcome: decisions, reason: [...responseStatuses, ...undeliveredReasons, other] },
    ),
    webhook_endpoint_disabled: counter(
      "cardbridge_webhook_endpoints_disabled_total",
      "Webhook endpoints that the service disabled: gone returned 410, failing failed for days, and backlog had too many pending deliveries.",
      { reason: [...automaticReasons] },
    ),
    audit_checkpoint_created: counter(
      "cardbridge_audit_checkpoints_total",
      "Checkpoints over entries of the audit. The log has the hash of each.",
    ),
    audit_checkpoint_failed: counter(
      "cardbridge_audit_checkpoints_failed_total",
      "Failed attempts to create a checkpoint of the audit.",
    ),
    command_line_act(labels) {
      if (commandLineWrites.includes(labels.operation ?? "")) countAct(labels);
    },
    issuer_keys_failed: counter(
      "cardbridge_issuer_keys_failed_total",
      "Failed attempts to read the keys of the issuer of persons' tokens. Known keys stay usable for a day.",
    ),
    slot_refused: counter(
      "cardbridge_resource_refusals_total",
      "Calls that got no slot of a resource: RATE_LIMITED if their platform is at its fair limit.",
      { resource: resources, outcome: ["RATE_LIMITED", "SERVICE_UNAVAILABLE"] },
    ),
    rate_limit_not_shared: counter(
      "cardbridge_rate_limit_not_shared_total",
      "Failures of the rate that processes share in Redis, at most one a second. The process then applies the rate " +
        "by itself.",
    ),
  };

  const durations: Partial<Record<Observation, (labels: Labels, seconds: number) => void>> = {
    request: histogram(
      "cardbridge_http_request_duration_seconds",
      "The time from the head of a request to its response, without sending it.",
      requestBuckets,
      ...requests.map(({ route = [], method = [] }) => ({ route, method })),
    ),
    provider_call: histogram(
      "cardbridge_provider_call_duration_seconds",
      "The duration of a call of the card provider with its retries.",
      providerBuckets,
      { operation: providerCalls },
    ),
  };

  return {
    observe(event, labels = {}, seconds) {
      counters[event](labels);
      if (seconds !== undefined) durations[event]?.(labels, seconds);
    },
  };
}
