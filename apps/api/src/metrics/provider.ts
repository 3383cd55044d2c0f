import {
  breakerStates,
  card,
  type ErrorCode,
  type ProviderReply,
  type ProviderState,
} from "@cardbridge/domain";
import { type EventMetric, everyCombination, one, other, type ReadMetric } from "./declaration.ts";

const buckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];

/** The outcomes of calls about cards. `cancelled`: the caller disconnected. */
const cardOutcomes: ("done" | "cancelled" | ErrorCode)[] = [
  "done",
  "cancelled",
  "PROVIDER_TIMEOUT",
  "PROVIDER_UNAVAILABLE",
  "PROVIDER_ANSWER_INVALID",
  "CARD_LIST_TOO_LONG",
];
export const kycOutcomes: ProviderReply["outcome"][] = [
  "answered",
  "refused",
  "not-found",
  "unsent",
  "unknown",
];

/** The calls of the provider's port, as its methods are called. */
const cardCalls = ["listCards", "findCard"];
const kycCalls = ["submitKyc", "findKyc"];

export const providerMetrics = {
  provider_call: {
    name: "cardbridge_provider_calls_total",
    help: "Calls of the card provider by outcome. A retry within a call is not counted.",
    series: [
      ...everyCombination({ operation: cardCalls, outcome: cardOutcomes }),
      ...everyCombination({ operation: kycCalls, outcome: [...kycOutcomes, other] }),
    ],
    duration: {
      name: "cardbridge_provider_call_duration_seconds",
      help: "The time of a call of the card provider with its retries.",
      by: ["operation"],
      buckets,
    },
  },
  provider_answer_unreadable: {
    name: "cardbridge_provider_answers_unreadable_total",
    help: "Answers of the card provider that do not follow its contract.",
    series: everyCombination({ operation: [...cardCalls, ...kycCalls] }),
  },
  provider_foreign_answer: {
    name: "cardbridge_provider_answers_foreign_total",
    help: "Answers and events of the card provider about another user or record.",
    series: everyCombination({ operation: [...cardCalls, ...kycCalls, "event"] }),
  },
  provider_card_field_malformed: {
    name: "cardbridge_provider_card_fields_malformed_total",
    help: "Fields of cards that were malformed, or looked like a card number, and became null.",
    series: everyCombination({ field: [...Object.keys(card.shape), other] }),
  },
  provider_sub_status_unmapped: {
    name: "cardbridge_provider_sub_statuses_unmapped_total",
    help: "Statuses of the card provider that the service does not know.",
    series: one,
  },
  provider_reason_unmapped: {
    name: "cardbridge_provider_reasons_unmapped_total",
    help: "Reasons of the card provider that the service does not know.",
    series: one,
  },
} satisfies Record<string, EventMetric>;

/** The state of the client of the card provider. */
export function providerState(read: () => ProviderState): ReadMetric[] {
  return [
    {
      type: "gauge",
      name: "cardbridge_provider_breaker_state",
      help: "1 for the state of the circuit breaker of these endpoints, and 0 for the others. An open one refuses calls.",
      series: everyCombination({ endpoints: Object.keys(read().breakers), state: breakerStates }),
      read: () =>
        Object.entries(read().breakers).map(([endpoints, state]) => ({
          labels: { endpoints, state },
          value: 1,
        })),
    },
  ];
}
