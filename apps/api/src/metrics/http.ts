import { anyCall } from "../errors/any-call.ts";
import { errorMapping } from "../errors/mapping.ts";
import { shedReasons } from "../load-shedding/load-shedding.ts";
import { acceptedStatus, type Route } from "../rest/routes.ts";
import { basePath } from "../server/paths.ts";
import { type EventMetric, everyCombination, type LabelSet, other } from "./declaration.ts";

/** A route of the app: its method and its path, as Hono names them. */
export interface ServedRoute {
  method: string;
  path: string;
}

const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", other];

/**
 * The metrics of requests.
 *
 * @param served every route of the app
 * @param published the routes of operations, which declare their statuses
 */
export function httpMetrics(served: readonly ServedRoute[], published: readonly Route[]) {
  const declared = new Map(published.map((route) => [keyOf(route), statusesOf(route)]));
  const routes = served.filter(({ method }) => method !== "ALL");
  const series: LabelSet[] = [
    ...routes.flatMap(({ method, path }) =>
      (declared.get(`${method} ${path}`) ?? statusesOf()).map((status) => ({ route: path, method, status })),
    ),
    ...everyCombination({ route: ["unknown"], method: methods, status: ["404", "405"] }),
  ];
  return {
    request: {
      name: "cardbridge_http_requests_total",
      help: "Requests that reached the app, by the route that answered, or unknown. HEAD counts as GET of its route.",
      series,
      duration: {
        name: "cardbridge_http_request_duration_seconds",
        help: "The time from the head of a request to its response, without sending it.",
        by: ["route", "method"],
        buckets,
      },
    },
    request_shed: {
      name: "cardbridge_http_requests_shed_total",
      help: "Requests that were refused before they were read: their platform exceeds its rate, or uses its share of the operations under way.",
      series: everyCombination({ reason: shedReasons }),
    },
  } satisfies Record<string, EventMetric>;
}

function keyOf({ method, path }: Route): string {
  return `${method.toUpperCase()} ${basePath}${path.replace(/\{(\w+)\}/g, ":$1")}`;
}

/** The statuses of a route: those that it declares, or 200, and those of any call. */
function statusesOf(route?: Route): string[] {
  const success = [route?.status ?? 200, ...(route?.accepted ? [acceptedStatus] : [])];
  const errors = [...anyCall, ...(route?.operation.errors ?? [])].map((code) => errorMapping[code].status);
  return [...new Set([...success, ...errors])].map(String);
}
