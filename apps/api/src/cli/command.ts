import type { Operation } from "@cardbridge/operations";
import { Argument, type Command } from "commander";
import type { CommandContext } from "./context.ts";
import type { Given, Report } from "./details.ts";
import { CommandError, toCommandError } from "./errors.ts";
import { type Field, fieldsOf, kebabCase, parserOf, toInput, toOptions } from "./fields.ts";
import { detailsOf } from "./nouns.ts";
import { runOperation } from "./run-operation.ts";

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
