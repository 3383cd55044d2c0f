import { searchTool } from "@cardbridge/api/mcp/search-tool";
import { operationTools } from "@cardbridge/api/mcp/tools";
import { defaultPolicies, isOperatorScope, type Scope } from "@cardbridge/domain";
import { createOperations } from "@cardbridge/service";
import { code, tableOf } from "./rows.ts";

/** A row of each tool of the MCP server. */
export function mcpTools(): string {
  const rows = [...operationTools(createOperations(defaultPolicies))].map(
    ([name, { operation, readOnly }]) => [
      code(name),
      operation.summary,
      code(operation.id),
      scopesOf(operation.scopes),
      readOnly ? "no" : "yes",
    ],
  );
  const search = [code(searchTool.name), searchTool.title ?? "", "–", "none", "no"];
  return tableOf(["Tool", "Does", "Operation", "Scope", "Writes"], [...rows, search]);
}

function scopesOf(scopes: readonly Scope[]): string {
  const ofPlatforms = scopes.filter((scope) => !isOperatorScope(scope));
  const [only, ...more] = ofPlatforms;
  return only !== undefined && more.length === 0 ? code(only) : "any";
}
