import type { Tool } from "@modelcontextprotocol/server";
import * as z from "zod";
import { standalone } from "../openapi/schemas.ts";
import { found } from "./search.ts";

export const searchName = "search_docs";

/** Long enough for a question. It bounds the work of a search. */
const maxQueryLength = 200;

export const searchInput = z.object({
  query: z.string().min(1).max(maxQueryLength).meta({ description: "A few words, or a short question." }),
});

/** The tool that searches the documentation. It needs no scope. */
export const searchTool: Tool = {
  name: searchName,
  title: "Search the documentation",
  description:
    "Searches the documentation of this service. Returns the best sections with their addresses. " +
    "Read the whole page at the address in `markdown`.",
  inputSchema: standalone(searchInput, "input") as Tool["inputSchema"],
  outputSchema: standalone(found, "output") as NonNullable<Tool["outputSchema"]>,
  annotations: {
    title: "Search the documentation",
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
};
