import type { Operation, Parameter } from "../document/operations.ts";
import type { Schema } from "../document/schema.ts";
import { typeInWords } from "../document/type-words.ts";
import { rulesList } from "../tables/fields.ts";
import { code, tableOf } from "../tables/rows.ts";

const titles = { path: "Path", query: "Query", header: "Headers" } as const;

/** The parameters of an operation: a table of each place, and the rules between those of the query. */
export function parametersSection({ parameters, querySchema }: Operation): string[] {
  const conditional = conditionalNames(querySchema);
  return (["path", "query", "header"] as const).flatMap((place) => {
    const own = parameters.filter((parameter) => parameter.in === place);
    if (own.length === 0) return [];
    const rules = place === "query" && querySchema ? rulesList(querySchema) : "";
    const section = [`### ${titles[place]}`, parametersTable(own, conditional)];
    return rules === "" ? section : [...section, "Rules between the parameters:", rules];
  });
}

/** A row of each parameter. */
export function parametersTable(
  parameters: readonly Parameter[],
  conditional: readonly string[] = [],
): string {
  const rows = parameters.map(({ name, schema, required, description = "" }) => [
    code(name),
    typeInWords(schema),
    required ? "Yes" : conditional.includes(name) ? "Conditional" : "No",
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
