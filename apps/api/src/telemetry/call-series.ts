import type { AuditOutcome } from "@cardbridge/domain";
import type { Operation } from "@cardbridge/operations";
import { anyCall } from "../errors/any-call.ts";
import { errorMapping } from "../errors/mapping.ts";
import { basePath } from "../http/paths.ts";
import type { Route } from "../rest/routes.ts";
import { type LabelValues, other } from "./series.ts";

/** A route of the app: its method and its path, as Hono names them. */
export interface ServedRoute {
  method: string;
  path: string;
}

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", other];

/**
 * The series of requests: each route with the statuses of its answers, and what no route answers.
 *
 * @param served every route of the app
 * @param published the routes of operations, which declare their statuses
 */
export function requestSeries(served: readonly ServedRoute[], published: readonly Route[]): LabelValues[] {
  const declared = new Map(published.map((route) => [nameOf(route), statusesOf(route)]));
  const routes = served.filter(({ method }) => method !== "ALL");
  return [
    ...routes.map(({ method, path }) => ({
      route: [path],
      method: [method],
      status: declared.get(`${method} ${path}`) ?? statusesOf(),
    })),
    { route: ["unknown"], method: methods, status: ["404", "405"] },
  ];
}

function nameOf({ method, path }: Route): string {
  return `${method.toUpperCase()} ${basePath}${path.replace(/\{(\w+)\}/g, ":$1")}`;
}

/** The statuses of a route: those that it declares, or 200, and those of any call. */
function statusesOf(route?: Route): string[] {
  const success = route ? [route.status ?? 200, ...Object.values(route.statuses)] : [200];
  const errors = [...anyCall, ...(route?.operation.errors ?? [])].map((code) => errorMapping[code].status);
  return [...new Set([...success, ...errors])].map(String);
}

/** The outcomes of any operation. Authentication and transports refuse calls before the operation. */
const outcomes: AuditOutcome[] = ["done", "SERVICE_UNAVAILABLE", "INTERNAL_ERROR"];
/** The outcomes of operations for callers. */
const callerOutcomes: AuditOutcome[] = ["SCOPE_MISSING", "INVALID_INPUT", "RATE_LIMITED"];

/** The series of an operation: each outcome of its calls. */
export function operationSeries(operation: Operation): LabelValues {
  return { operation: [operation.id], outcome: [...new Set(outcomesOf(operation))] };
}

function outcomesOf(operation: Operation): AuditOutcome[] {
  if (isOfWorker(operation)) return outcomes;
  const replayed: AuditOutcome[] = operation.idempotent ? ["replayed"] : [];
  return [...outcomes, ...replayed, ...callerOutcomes, ...operation.errors];
}

/** Whether the worker runs this operation in its passes. */
export function isOfWorker({ actors }: Operation): boolean {
  return actors.includes("worker");
}
