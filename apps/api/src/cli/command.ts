import { Failure, internalPlatformId } from "@cardbridge/domain";
import {
  type Call,
  createOperations,
  findPlatform,
  listOperations,
  type Operation,
} from "@cardbridge/service";
import { Argument, type Command } from "commander";
import type { z } from "zod";
import { withOperatorPorts } from "../boot/operator.ts";
import { requestId } from "../http/errors/request-id.ts";
import { runBatches } from "./batches.ts";
import { type CommandContext, showProgress } from "./context.ts";
import type { Details, Given, Report } from "./details.ts";
import { CommandError, toCommandError } from "./errors.ts";
import { type Field, fieldsOf, kebabCase, parserOf, toInput, toOptions } from "./fields.ts";
import { detailsOf } from "./nouns.ts";
import { operatorOf } from "./operator.ts";
import { formatOutput } from "./output.ts";

/** Adds the command of an operation to the group of its noun. The declaration supplies what its details omit. */
export function addCommand(group: Command, operation: Operation, context: CommandContext): void {
  const details = detailsOf(operation.id);
  const fields = fieldsOf(operation, details);
  const args = fields.filter(({ isArgument }) => isArgument);
  const others = fields.filter(({ isArgument }) => !isArgument);
  const further = details.options ?? [];
  const replaced = further.map((option) => option.attributeName());
  const derived = others.flatMap(toOptions).filter((option) => !replaced.includes(option.attributeName()));

  const command = group.command(kebabCase(operation.id.replace(/^\w+\./, "")));
  const example = details.example ?? `${group.name()} ${command.name()} ${exampleOf(operation, fields)}`;
  command.summary(operation.summary).description(details.description ?? operation.description);
  command.addHelpText("after", `\nExample:\n  cardbridge ${example.trim()}`);
  for (const field of args)
    command.addArgument(new Argument(field.label, field.schema.description).argParser(parserOf(field)));
  for (const option of [...derived, ...further]) command.addOption(option);
  command.option("--json", "print one JSON document").action(async () => {
    const options: Given = command.optsWithGlobals();
    const input = {
      ...Object.fromEntries(args.map(({ name }, index) => [name, command.processedArgs[index]])),
      ...Object.fromEntries(others.map((field) => [field.name, toInput(field, options[field.option])])),
      ...details.input?.(options),
    };
    const labels = Object.fromEntries(fields.map(({ name, label }) => [name, label]));
    try {
      const report = await runOperation(operation, details, input, { context, by: options.by });
      print(report, options.json === true, context);
    } catch (error) {
      throw toCommandError(error, (path) => details.flags?.[path.join(".")] ?? labels[path[0] ?? ""]);
    }
  });
}

/** The input of the declaration's example, as an operator types it. */
function exampleOf({ platform, example }: Operation, fields: readonly Field[]): string {
  const input: Given = { ...(platform && { platformId: "plt_…" }), ...Object(example.input) };
  const given = fields.filter(({ name }) => input[name] !== undefined);
  const words = given.map(({ name, isArgument, label }) => {
    const value = String(input[name]);
    const text = value.includes(" ") ? `"${value}"` : value;
    return isArgument ? text : `${label} ${text}`;
  });
  return words.join(" ");
}

function print({ document, text = "", note, problem }: Report, json: boolean, context: CommandContext): void {
  const printed = json ? JSON.stringify(document, null, 2) : text;
  if (printed !== "") context.stdout.write(`${printed}\n`);
  if (note !== undefined && !json) context.stderr.write(`${note}\n`);
  if (problem !== undefined) throw new CommandError(problem);
}

/**
 * Runs an operation for an operator. All audit entries of one command carry the same request id.
 * @throws the errors of the operation; Failure PLATFORM_NOT_FOUND.
 */
async function runOperation(
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
    const isKnown = platformId === internalPlatformId || (await findPlatform(ports, platformId)) !== null;
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
