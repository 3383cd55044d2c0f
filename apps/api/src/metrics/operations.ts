import type { AuditOutcome } from "@cardbridge/domain";
import type { Operation } from "@cardbridge/operations";
import { type EventMetric, everyCombination } from "./declaration.ts";

/** The outcomes of any operation. Authentication and transports refuse calls before the operation. */
const outcomes: AuditOutcome[] = ["done", "SERVICE_UNAVAILABLE", "INTERNAL_ERROR"];
/** The outcomes of operations for callers. */
const callerOutcomes: AuditOutcome[] = ["SCOPE_MISSING", "INVALID_INPUT", "RATE_LIMITED"];

/** The metrics of these operations, whatever the transport. */
export function operationMetrics(operations: readonly Operation[]) {
  const workers = operations.filter(isOfWorker);
  return {
    operation_call: {
      name: "cardbridge_operation_calls_total",
      help: "Calls of operations by outcome: done, replayed, or the error code. Each call of a batch counts.",
      series: operations.flatMap((operation) =>
        everyCombination({ operation: [operation.id], outcome: [...new Set(outcomesOf(operation))] }),
      ),
    },
    worker_pass_failed: {
      name: "cardbridge_worker_passes_failed_total",
      help: "Passes of the worker that failed, by operation. The log has the reason, and the next pass tries again.",
      series: everyCombination({ operation: workers.map(({ id }) => id) }),
    },
  } satisfies Record<string, EventMetric>;
}

function outcomesOf(operation: Operation): AuditOutcome[] {
  if (isOfWorker(operation)) return outcomes;
  const replayed: AuditOutcome[] = operation.idempotent ? ["replayed"] : [];
  return [...outcomes, ...replayed, ...callerOutcomes, ...operation.errors];
}

function isOfWorker({ actors }: Operation): boolean {
  return actors.includes("worker");
}
