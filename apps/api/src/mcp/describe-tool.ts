import type { Tool } from "@modelcontextprotocol/server";
import { standalone } from "../openapi/schemas.ts";
import { markedSchema } from "./marked.ts";
import type { OperationTool } from "./tools.ts";

/** Describes a tool from the declaration of its operation. */
export function describeTool(name: string, { operation, readOnly }: OperationTool): Tool {
  const { summary, description, rules, idempotent } = operation;
  return {
    name,
    title: summary,
    description: [description, ...rules.map((rule) => `- ${rule.description}`)].join("\n"),
    inputSchema: standalone(operation.input, "input") as Tool["inputSchema"],
    outputSchema: markedSchema(standalone(operation.output, "output")),
    annotations: {
      title: summary,
      readOnlyHint: readOnly,
      destructiveHint: false,
      idempotentHint: readOnly || idempotent,
    },
  };
}
