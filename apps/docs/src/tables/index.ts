import { errorCodes, reasons } from "./errors.ts";
import { mcpTools } from "./mcp.ts";

/** The generated parts of the pages, by the name in their comments. */
export const tables: Record<string, () => string> = {
  "error-codes": errorCodes,
  reasons,
  "mcp-tools": mcpTools,
};
