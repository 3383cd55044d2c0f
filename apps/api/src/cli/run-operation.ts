import { Failure, internalPlatformId } from "@cardbridge/domain";
import { type Call, createOperations, listOperations, type Operation } from "@cardbridge/operations";
import { withOperatorPorts } from "../composition/operator.ts";
import { requestId } from "../observability/request-id.ts";
import type { CommandContext } from "./context.ts";
import type { Details, Given, Report } from "./details.ts";
import { CommandError } from "./errors.ts";
import { formatOutput } from "./output.ts";

interface Invocation {
  input: Given;
  json: boolean;
  actor: string;
  context: CommandContext;
}

/**
 * Runs an operation for an operator and prints the report. All audit entries of one command carry the same request id.
 * @throws what the operation throws; Failure PLATFORM_NOT_FOUND; CommandError where the report has a problem.
 */
export async function runOperation(
  operation: Operation,
  details: Details,
  invocation: Invocation,
): Promise<void> {
  const { input, json, actor, context } = invocation;
  const platformId = operation.platform ? String(input.platformId) : internalPlatformId;
  const origin = { kind: "operator", actor, requestId: requestId(), address: null } as const;
  const call: Call = { ...origin, platformId, scopes: new Set() };
  const report = await withOperatorPorts(context.env, details.requires ?? [], async (ports, policies) => {
    const isKnown = platformId === internalPlatformId || (await ports.platforms.exists(platformId));
    if (!isKnown) throw new Failure("PLATFORM_NOT_FOUND");
    // The same operation, with the policies of the environment.
    const configured = listOperations(createOperations(policies)).find(({ id }) => id === operation.id);
    const execute = async (given: unknown) => (await configured?.execute(ports, call, given))?.data;
    const width = context.stdout.columns ?? Number.POSITIVE_INFINITY;
    if (!details.run) return reportOf(operation, details, await execute(input), width);
    const { stdin, stderr } = context;
    const progress = (line: string) => void (stderr.isTTY && stderr.write(`\r\u001b[K${line}`));
    return details.run(execute, { input, stdin, width, progress }).finally(() => progress(""));
  });
  print(report, json, context);
}

/** The report that follows from the output's schema, but for what the details replace. */
function reportOf({ output }: Operation, details: Details, document: unknown, width: number): Report {
  const { alone, columns = {} } = details;
  const text = formatOutput(
    output,
    alone ? { ...Object(document), [alone]: null } : document,
    columns,
    width,
  );
  const report = alone ? { text: String(Object(document)[alone]), note: text } : { text };
  return { document, ...report, ...details.report?.(document) };
}

function print({ document, text = "", note, problem }: Report, json: boolean, context: CommandContext): void {
  const printed = json ? JSON.stringify(document, null, 2) : text;
  if (printed !== "") context.stdout.write(`${printed}\n`);
  if (note !== undefined && !json) context.stderr.write(`${note}\n`);
  if (problem !== undefined) throw new CommandError(problem);
}
