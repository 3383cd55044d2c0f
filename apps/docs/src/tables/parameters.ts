import type { Parameter } from "../document/operations.ts";
import type { Schema } from "../document/schema.ts";
import { typeInWords } from "../document/type-words.ts";
import { presences } from "./fields.ts";
import { code, tableOf } from "./rows.ts";

/** A row of each parameter. `querySchema` has the rules that make a parameter conditional. */
export function parametersTable(parameters: readonly Parameter[], querySchema?: Schema): string {
  const conditional = conditionalNames(querySchema);
  const rows = parameters.map(({ name, schema, required, description = "" }) => [
    code(name),
    typeInWords(schema),
    presences[required ? "required" : conditional.includes(name) ? "conditional" : "optional"],
    description.replaceAll("\n", " "),
  ]);
  return tableOf(["Name", "Type", "Required", "Meaning"], rows);
}

/** The parameters of which a rule requires one. */
function conditionalNames(schema: Schema | undefined): string[] {
  return (schema?.allOf ?? []).flatMap(({ oneOf = [], anyOf = [] }) =>
    [...oneOf, ...anyOf].flatMap(({ required = [] }) => required),
  );
}
