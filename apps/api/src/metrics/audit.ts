import type { Audit } from "@cardbridge/domain";
import { type EventMetric, one, type ReadMetric } from "./declaration.ts";

export const auditMetrics = {
  audit_sealed: {
    name: "cardbridge_audit_seals_total",
    help: "Seals over entries of the audit. The log has the hash of each.",
    series: one,
  },
  audit_not_sealed: {
    name: "cardbridge_audit_seals_failed_total",
    help: "Failed attempts to seal entries of the audit.",
    series: one,
  },
} satisfies Record<string, EventMetric>;

/** The entries of the audit that no seal covers yet. */
export function unsealedEntries(read: () => ReturnType<Audit["unsealed"]>): ReadMetric[] {
  return [
    {
      type: "gauge",
      name: "cardbridge_audit_unsealed_oldest_seconds",
      help: "The age of the oldest unsealed audit entry; 0 without one.",
      series: one,
      read: async () => [{ value: Math.max(0, ...(await read()).map(({ oldestSeconds }) => oldestSeconds)) }],
    },
  ];
}
