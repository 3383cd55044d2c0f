import type { Operation } from "@cardbridge/operations";
import type { Command } from "commander";
import type { CommandContext } from "./context.ts";
import type { Given } from "./details.ts";
import { toCommandError } from "./errors.ts";
import { type Field, fieldsOf, kebabCase, toArgument, toOptions } from "./fields.ts";
import { detailsOf } from "./nouns.ts";
import { runOperation } from "./run-operation.ts";

/**
 * Adds the command of an operation to the group of its noun. What the command's details leave out follows from the
 * operation's declaration. `actor` names the operator, as the audit does.
 */
export function addCommand(
  group: Command,
  operation: Operation,
  context: CommandContext,
  actor: () => string,
): void {
  const details = detailsOf(operation.id);
  const fields = fieldsOf(operation, details);
  const args = fields.filter(({ isArgument }) => isArgument);
  const others = fields.filter(({ isArgument }) => !isArgument);
  const further = details.options ?? [];
  const replaced = further.map((option) => option.attributeName());
  const derived = others.flatMap(toOptions).filter((option) => !replaced.includes(option.attributeName()));

  const command = group.command(kebabCase(operation.id.replace(/^\w+\./, "")));
  command.summary(operation.summary).description(details.description ?? operation.description);
  for (const field of args) command.addArgument(toArgument(field));
  for (const option of [...derived, ...further]) command.addOption(option);
  command.option("--json", "print one JSON document");
  const example =
    details.example ?? [group.name(), command.name(), ...exampleOf(operation, fields)].join(" ");
  command.addHelpText("after", `\nExample:\n  cardbridge ${example}`);

  command.action(async () => {
    const options: Given = command.opts();
    const input = {
      ...Object.fromEntries(args.map(({ name }, index) => [name, command.processedArgs[index]])),
      ...Object.fromEntries(others.map(({ name, option }) => [name, options[option]])),
      ...details.input?.(options),
    };
    const labels = Object.fromEntries(fields.map(({ name, label }) => [name, label]));
    await runOperation(operation, details, {
      input,
      context,
      actor: actor(),
      json: options.json === true,
    }).catch((error: unknown) => {
      throw toCommandError(error, (path) => details.flags?.[path.join(".")] ?? labels[path[0] ?? ""]);
    });
  });
}

/** The input of the declaration's example, as an operator types it. */
function exampleOf({ platform, example }: Operation, fields: readonly Field[]): string[] {
  const input: Given = { ...(platform && { platformId: "plt_…" }), ...Object(example.input) };
  const given = fields.filter(({ name }) => input[name] !== undefined);
  return given.map(({ name, isArgument, label }) => {
    const text = String(input[name]);
    const value = text.includes(" ") ? JSON.stringify(text) : text;
    return isArgument ? value : `${label} ${value}`;
  });
}
