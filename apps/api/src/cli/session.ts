import { defaultPolicies, Failure, internalPlatformId } from "@cardbridge/domain";
import { type Call, createOperations, type Operation, type Operations } from "@cardbridge/operations";
import type { z } from "zod";
import { type Requirement, withOperatorPorts } from "../composition/operator.ts";
import { requestId } from "../observability/request-id.ts";
import { commandContext } from "./command-context.ts";

export const operations = createOperations(defaultPolicies);

/**
 * Runs an operation, for a platform if it names one, and returns its data.
 * @throws what the operation throws; Failure PLATFORM_NOT_FOUND.
 */
export type Run = <I extends z.ZodType, O extends z.ZodType>(
  operation: Operation<I, O>,
  input: z.input<I>,
  platformId?: string,
) => Promise<z.output<O>>;

/**
 * Opens what operations work with, lets `use` run any number of them for one command, and closes it.
 * `requires` names what has to be usable before the first one. `configured` are the operations with the environment's
 * policies.
 */
export type Session = <T>(
  use: (run: Run, configured: Operations) => Promise<T>,
  requires?: readonly Requirement[],
) => Promise<T>;

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
    return withOperatorPorts(commandContext().env, requires, (ports, policies) => {
      const run: Run = async (operation, input, platformId = internalPlatformId) => {
        const isKnown =
          platformId === internalPlatformId || (await ports.platforms.find(platformId)) !== null;
        if (!isKnown) throw new Failure("PLATFORM_NOT_FOUND");
        return (await operation.execute(ports, { ...call, platformId }, input)).data;
      };
      return use(run, createOperations(policies));
    });
  };
}
