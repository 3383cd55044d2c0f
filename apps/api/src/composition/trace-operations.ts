import type { Tracer } from "@cardbridge/domain";
import type { Operation, Operations } from "@cardbridge/operations";

/** Traces every operation by its id, with the outcome that the audit knows. */
export function traceOperations(operations: Operations, tracer: Tracer): Operations {
  const nouns = Object.entries(operations).map(([noun, verbs]) => [noun, traceVerbs(verbs, tracer)]);
  return Object.fromEntries(nouns) as Operations;
}

function traceVerbs(verbs: object, tracer: Tracer): object {
  const traced = Object.entries(verbs).map(([verb, operation]) => [verb, trace(operation, tracer)]);
  return Object.fromEntries(traced);
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
