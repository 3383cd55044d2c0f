import type { AuditOutcome } from "@cardbridge/domain";
import { eventPasses, type Operation, workerPasses } from "@cardbridge/service";
import { basePath } from "../config/paths.ts";
import { commonErrors } from "../http/errors/common-errors.ts";
import { errorMapping } from "../http/errors/mapping.ts";
import { acceptedStatus, type Route } from "../http/rest/routes.ts";
import { type LabelValues, other } from "./series.ts";

/** A route of the app: its method and its path, as Hono names them. */
export interface ServedRoute {
  method: string;
  path: string;
}

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", other];

/**
 * The series of requests: each route with the statuses of its responses, and requests without a route.
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
  const success = [route?.status ?? 200, ...(route?.accepted ? [acceptedStatus] : [])];
  const errors = [...commonErrors, ...(route?.operation.errors ?? [])].map(
    (code) => errorMapping[code].status,
  );
  return [...new Set([...success, ...errors])].map(String);
}

/** The outcomes of any operation or pass. Authentication and transports refuse calls before the operation. */
const outcomes: AuditOutcome[] = ["done", "SERVICE_UNAVAILABLE", "INTERNAL_ERROR"];
/** The outcomes of any operation. */
const callerOutcomes: AuditOutcome[] = ["SCOPE_MISSING", "INVALID_INPUT", "RATE_LIMITED"];
/** The outcomes of events about unknown records and users. */
const eventOutcomes: AuditOutcome[] = ["KYC_RECORD_NOT_FOUND", "USER_NOT_FOUND"];

/** The series of operations and of passes: each outcome of their calls. */
export function operationSeries(operations: readonly Operation[]): LabelValues[] {
  return [
    ...operations.map(({ id, idempotent, recentSignIn, reach, errors }) => {
      const replayed: AuditOutcome[] = idempotent ? ["replayed"] : [];
      const ofPersons: AuditOutcome[] = [
        ...(recentSignIn ? (["SIGN_IN_TOO_OLD"] as const) : []),
        ...(reach ? (["PLATFORM_NOT_FOUND"] as const) : []),
      ];
      const all = [...outcomes, ...replayed, ...callerOutcomes, ...ofPersons, ...errors];
      return { operation: [id], outcome: [...new Set(all)] };
    }),
    { operation: workerPasses, outcome: outcomes },
    { operation: eventPasses, outcome: [...outcomes, ...eventOutcomes] },
  ];
}
