import { searchTool } from "@cardbridge/api/mcp/search-tool";
import { operationTools } from "@cardbridge/api/mcp/tools";
import { defaultPolicies, isOperatorScope, type Scope } from "@cardbridge/domain";
import { createOperations } from "@cardbridge/operations";

/** A row of each tool of the MCP server. */
export function mcpTools(): string {
  const rows = [...operationTools(createOperations(defaultPolicies))].map(
    ([name, { operation, readOnly }]) =>
      `| \`${name}\` | ${operation.summary} | \`${operation.id}\` | ${scopesOf(operation.scopes)} | ${readOnly ? "no" : "yes"} |`,
  );
  return [
    "| Tool | Does | Operation | Scope | Writes |",
    "| --- | --- | --- | --- | --- |",
    ...rows,
    `| \`${searchTool.name}\` | ${searchTool.title} | – | none | no |`,
  ].join("\n");
}

function scopesOf(scopes: readonly Scope[]): string {
  const ofPlatforms = scopes.filter((scope) => !isOperatorScope(scope));
  const [only, ...more] = ofPlatforms;
  return only !== undefined && more.length === 0 ? `\`${only}\`` : "any";
}
