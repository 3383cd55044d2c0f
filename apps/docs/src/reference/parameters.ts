import type { Operation } from "../document/operations.ts";
import { rulesList } from "../tables/fields.ts";
import { parametersTable } from "../tables/parameters.ts";

const titles = { path: "Path", query: "Query", header: "Headers" } as const;

/** The parameters of an operation: a table of each place, and the rules between those of the query. */
export function parametersSection({ parameters, querySchema }: Operation): string[] {
  return (["path", "query", "header"] as const).flatMap((place) => {
    const own = parameters.filter((parameter) => parameter.in === place);
    if (own.length === 0) return [];
    const rules = place === "query" && querySchema ? rulesList(querySchema) : "";
    const section = [`### ${titles[place]}`, parametersTable(own, querySchema)];
    return rules === "" ? section : [...section, "Rules between the parameters:", rules];
  });
}
