import { defaultPolicies, internalPlatformId } from "@cardbridge/domain";
import { type Call, createOperations, type Operation } from "@cardbridge/operations";
import type { z } from "zod";
import { type Requirement, withOperatorPorts } from "../composition/operator.ts";
import { requestId } from "../observability/request-id.ts";

export const operations = createOperations(defaultPolicies);

/** Runs an operation and returns its data. @throws what the operation throws. */
export type Run = <I extends z.ZodType, O extends z.ZodType>(
  operation: Operation<I, O>,
  input: z.input<I>,
) => Promise<z.output<O>>;

/**
 * Opens what operations work with, lets `use` run any number of them for one command, and closes it.
 * `requires` names what has to be usable before the first one.
 */
export type Session = <T>(use: (run: Run) => Promise<T>, requires?: readonly Requirement[]) => Promise<T>;

/** Sessions of the operator whom `actor` names. A command has one request id, which all its audit entries carry. */
export function createSession(actor: () => string): Session {
  return (use, requires = []) => {
    const call: Call = {
      kind: "operator",
      actor: actor(),
      requestId: requestId(),
      address: null,
      platformId: internalPlatformId,
      scopes: new Set(),
    };
    return withOperatorPorts(requires, (ports) =>
      use(async (operation, input) => (await operation.execute(ports, call, input)).data),
    );
  };
}
