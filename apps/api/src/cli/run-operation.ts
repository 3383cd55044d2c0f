import { Failure, internalPlatformId } from "@cardbridge/domain";
import { type Call, createOperations, listOperations, type Operation } from "@cardbridge/operations";
import type { z } from "zod";
import { withOperatorPorts } from "../boot/operator.ts";
import { requestId } from "../log/request-id.ts";
import { runBatches } from "./batches.ts";
import { type CommandContext, showProgress } from "./context.ts";
import type { Details, Given, Report } from "./details.ts";
import { operatorOf } from "./operator.ts";
import { formatOutput } from "./output.ts";

/**
 * Runs an operation for an operator. All audit entries of one command carry the same request id.
 * @throws the errors of the operation; Failure PLATFORM_NOT_FOUND.
 */
export async function runOperation(
  operation: Operation,
  details: Details,
  input: Given,
  { context, by }: { context: CommandContext; by: unknown },
): Promise<Report> {
  const progress = (line: string) => showProgress(context, line);
  const platformId = operation.platform ? String(input.platformId) : internalPlatformId;
  const origin = { kind: "operator", actor: operatorOf(by), requestId: requestId(), address: null } as const;
  const call: Call = { ...origin, platformId, scopes: new Set() };
  return withOperatorPorts(context.env, details.requires ?? [], async (ports, policies) => {
    const isKnown = platformId === internalPlatformId || (await ports.platforms.find(platformId)) !== null;
    if (!isKnown) throw new Failure("PLATFORM_NOT_FOUND");
    // The same operation, with the policies of the environment.
    const configured = listOperations(createOperations(policies)).find(({ id }) => id === operation.id);
    const execute = async (given: unknown) => (await configured?.execute(ports, call, given))?.data;
    if (details.run) return details.run(execute, input, context);
    const { add, alone = "", columns = {} } = details;
    const output = add ? await runBatches(execute, input, { add, progress }) : await execute(input);
    const values = Object(output);
    const { [alone]: field } = (operation.output as z.ZodObject).shape;
    const text = formatOutput(
      operation.output,
      { ...values, [alone]: null },
      columns,
      context.stdout.columns,
    );
    const derived = field
      ? { text: String(values[alone]), note: `${field.description}\n\n${text}` }
      : { text };
    return { document: output, ...derived, ...details.report?.(output, input) };
  }).finally(() => (details.run || details.add) && progress(""));
}
