import { Failure, internalPlatformId } from "@cardbridge/domain";
import { type Call, type Operation, type Ports, reasonOf } from "@cardbridge/operations";
import type { z } from "zod";

const call: Call = {
  kind: "worker",
  actor: "worker",
  platformId: internalPlatformId,
  scopes: new Set(),
  requestId: null,
  address: null,
};

/** Runs an operation of the worker. Never throws: a failure is observed, returns null, and the next pass retries. */
export async function run<I extends z.ZodType, O extends z.ZodType>(
  ports: Ports,
  operation: Operation<I, O>,
  input: z.input<I>,
  signal?: AbortSignal,
): Promise<z.output<O> | null> {
  try {
    const { data } = await operation.execute(ports, signal ? { ...call, signal } : call, input);
    return data;
  } catch (error) {
    const cause = error instanceof Failure ? (error.details.cause ?? error) : error;
    ports.observer.observe("worker_pass_failed", { operation: operation.id, reason: reasonOf(cause) });
    return null;
  }
}
