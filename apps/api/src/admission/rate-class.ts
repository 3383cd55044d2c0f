import { defaultPolicies } from "@cardbridge/domain";
import { createOperations, listProcedures, submission } from "@cardbridge/service";
import { basePath, isTrpc, mcpPath, pathOf, trpcPath } from "../paths.ts";
import { isReading } from "./head.ts";
import type { RateClass } from "./rate-limiter.ts";

const urgent = new Set(
  listProcedures(createOperations(defaultPolicies)).flatMap(({ id, urgent }) => (urgent ? id : [])),
);

/** Whether the calls of a procedure have a rate and slots of their own. */
export const isUrgent = (procedure: string): boolean => urgent.has(procedure);

/** The procedure of a request by its target; of a batch, the first one. '' for other requests. */
export function procedureOf(target: string): string {
  const path = decoded(pathOf(target));
  const [procedure = ""] = isTrpc(path) ? path.slice(trpcPath.length + 1).split(",", 1) : [];
  return procedure;
}

/** The class of a request by its head; of a batch, that of its first call. */
export function rateClassOf(method: string, target: string): RateClass {
  const procedure = procedureOf(target);
  if (procedure !== "") return rateClassOfProcedure(method, procedure);
  const path = decoded(pathOf(target));
  // The MCP server counts the write that a message calls, once the body is read.
  if (isReading(method) || path === mcpPath) return "reads";
  return path === `${basePath}${submission.path}` ? "submissions" : "writes";
}

/** The class of a procedure that is called with this method. */
export function rateClassOfProcedure(method: string, procedure: string): RateClass {
  if (isReading(method)) return "reads";
  return procedure === submission.procedure ? "submissions" : "writes";
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
