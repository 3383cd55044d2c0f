import type { Tracer } from "@cardbridge/domain";
import { mapOperations, type Operation, type Operations } from "@cardbridge/operations";

/** Traces every operation by its id, with the outcome that the audit knows. */
export function traceOperations(operations: Operations, tracer: Tracer): Operations {
  return mapOperations(operations, (operation) => trace(operation, tracer));
}

function trace(operation: Operation, tracer: Tracer): Operation {
  return {
    ...operation,
    execute: (...call) =>
      tracer.run({ name: operation.id }, async (span) => {
        const outcome = await operation.execute(...call);
        span.set({ "cardbridge.outcome": outcome.replayed ? "replayed" : "done" });
        return outcome;
      }),
  };
}
