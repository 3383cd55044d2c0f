import { listOperations, type Operation, type Operations, type RestBinding } from "@cardbridge/service";
import { fieldNames } from "../middleware/unknown-parameters.ts";

/** A REST route: an operation's binding in terms of HTTP. */
export interface Route extends Pick<RestBinding, "method" | "path" | "tag" | "accepted"> {
  operation: Operation;
  /** The source of the input, besides the path: `query` reads no body. */
  reads: "query" | "json" | "form";
  /** The HTTP status of a result that is not `accepted`. */
  status: 200 | 201;
}

/** The HTTP status of a result that is accepted and not final. */
export const acceptedStatus = 202;

/** The REST routes of the operations, in the order of their tree, for the handlers and the OpenAPI document. */
export function restRoutes(operations: Operations): Route[] {
  return listOperations(operations).flatMap((operation) => {
    const { rest } = operation;
    if (!rest) return [];
    const { created, ...binding } = rest;
    return { ...binding, operation, reads: sourceOf(operation, rest), status: created ? 201 : 200 };
  });
}

/** A route reads no body if its path has every field. */
function sourceOf({ binary, input }: Operation, { method, path }: RestBinding): Route["reads"] {
  if (binary) return "form";
  const inPath = namesInPath(path).length;
  const isWhole = inPath > 0 && inPath === fieldNames(input).length;
  return method === "get" || isWhole ? "query" : "json";
}

/** The names in a path: `{name}`. */
export function namesInPath(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}
