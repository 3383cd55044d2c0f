import { type Attempt, type RecordCount, settlements } from "@cardbridge/domain";
import { type EventMetric, everyCombination, one, type ReadMetric } from "./declaration.ts";
import { kycOutcomes } from "./provider.ts";

const steps: Attempt["step"][] = ["send", "ask"];
const attempts = everyCombination({ step: steps, outcome: kycOutcomes });

export const kycMetrics = {
  kyc_attempt: {
    name: "cardbridge_kyc_attempts_total",
    help: "Attempts to settle a submission: send submits it, and ask queries its outcome.",
    series: attempts,
  },
  kyc_outcome_unknown: {
    name: "cardbridge_kyc_outcomes_unknown_total",
    help: "Attempts without a usable answer of the card provider. The log has the reason, and the record stays due.",
    series: attempts,
  },
  kyc_not_stored: {
    name: "cardbridge_kyc_answers_not_stored_total",
    help: "Answers of the card provider that could not be stored. The record stays due.",
    series: everyCombination({ outcome: kycOutcomes }),
  },
  kyc_not_loaded: {
    name: "cardbridge_kyc_records_not_loaded_total",
    help: "Leased records that could not be loaded: wrong keys, a changed row, or no database. They stay due.",
    series: one,
  },
  kyc_final_reversed: {
    name: "cardbridge_kyc_final_statuses_reversed_total",
    help: "Final statuses that the card provider replaced by the other one.",
    series: one,
  },
  kyc_approved_without_email: {
    name: "cardbridge_kyc_approvals_without_email_total",
    help: "Approvals of users whose e-mail another user took. The platform has to set an e-mail.",
    series: one,
  },
  user_erased: {
    name: "cardbridge_users_erased_total",
    help: "Users whose personal data was destroyed.",
    series: one,
  },
} satisfies Record<string, EventMetric>;

/** The records of all platforms that wait, by state. */
export function waitingRecords(read: () => Promise<RecordCount[] | undefined>): ReadMetric[] {
  const series = everyCombination({ settlement: settlements, held: ["false", "true"] });
  const samples = async (select: (count: RecordCount) => number) =>
    (await read())?.map((record) => ({
      labels: { settlement: record.settlement, held: String(record.held) },
      value: select(record),
    }));
  return [
    {
      type: "gauge",
      name: "cardbridge_kyc_records_waiting",
      help: "KYC records that wait: unsettled, held for an operator, or in review.",
      series,
      read: () => samples(({ count }) => count),
    },
    {
      type: "gauge",
      name: "cardbridge_kyc_records_waiting_oldest_seconds",
      help: "The age of the oldest waiting KYC record, since its submission.",
      series,
      read: () => samples(({ oldestSeconds }) => oldestSeconds),
    },
  ];
}
