import type { AuditOutcome } from "@cardbridge/domain";
import { eventPasses, type Operation, workerPasses } from "@cardbridge/operations";
import { type EventMetric, everyCombination } from "./declaration.ts";

/** The outcomes of any operation or pass. Authentication and transports refuse calls before the operation. */
const outcomes: AuditOutcome[] = ["done", "SERVICE_UNAVAILABLE", "INTERNAL_ERROR"];
/** The outcomes of any operation. */
const callerOutcomes: AuditOutcome[] = ["SCOPE_MISSING", "INVALID_INPUT", "RATE_LIMITED"];
/** The outcomes of events about what nobody has. */
const eventOutcomes: AuditOutcome[] = ["KYC_RECORD_NOT_FOUND", "USER_NOT_FOUND"];

/** The metrics of these operations, whatever the transport, and of passes. */
export function operationMetrics(operations: readonly Operation[]) {
  return {
    operation_call: {
      name: "cardbridge_operation_calls_total",
      help: "Calls of operations, and passes, by outcome: done, replayed, or the error code. Each call of a batch counts.",
      series: [
        ...operations.flatMap(({ id, idempotent, errors }) =>
          seriesOf([id], [...callerOutcomes, ...errors, ...(idempotent ? ["replayed"] : [])]),
        ),
        ...seriesOf(workerPasses),
        ...seriesOf(eventPasses, eventOutcomes),
      ],
    },
    worker_pass_failed: {
      name: "cardbridge_worker_passes_failed_total",
      help: "Passes of the worker that failed, by operation. The log has the reason, and the next pass tries again.",
      series: everyCombination({ operation: workerPasses }),
    },
  } satisfies Record<string, EventMetric>;
}

function seriesOf(names: readonly string[], further: readonly string[] = []) {
  return everyCombination({ operation: names, outcome: [...new Set([...outcomes, ...further])] });
}
