import {
  maxBodyBytes,
  maxBodyMs,
  maxFileMs,
  maxHeadBytes,
  maxHeaders,
  maxJsonDepth,
  maxTargetLength,
} from "@cardbridge/api/limits";
import { defaultRates, rateClassOf } from "@cardbridge/api/rate";
import { restRoutes } from "@cardbridge/api/rest";
import { variables } from "@cardbridge/api/variables";
import { defaultPolicies } from "@cardbridge/domain";
import { createOperations } from "@cardbridge/service";
import { basePath } from "../../../api/src/config/paths.ts";
import { durationOf } from "./duration.ts";
import { code, tableOf } from "./rows.ts";

const routes = restRoutes(createOperations(defaultPolicies)).map(({ method, path }) => ({
  method: method.toUpperCase(),
  path: `${basePath}${path}`,
}));

/** A row of each class of calls with its default rate. All calls of a rate may arrive at once. */
export function rateLimits(): string {
  const rows = Object.entries(defaultRates).map(([name, { calls, seconds }]) => [
    code(name),
    callsOf(name),
    `${calls} in ${durationOf(seconds * 1_000)}`,
    String(calls),
    `${calls / seconds} a second`,
  ]);
  return tableOf(["Class", "Calls", "Default rate", "Burst", "Refill"], rows);
}

/** The only route of a class, or its methods. */
function callsOf(rateClass: string): string {
  const own = routes.filter(({ method, path }) => rateClassOf(method, path) === rateClass);
  const [only, ...more] = own;
  if (only && more.length === 0) return code(`${only.method} ${only.path}`);
  return [...new Set(own.map(({ method }) => code(method)))].join(", ");
}

/** A row of each limit of a request, with the error beyond it. */
export function requestLimits(): string {
  const fileBytes = variables.shape.FILE_MAX_BYTES.parse(undefined);
  return tableOf(
    ["What", "Limit", "Error beyond it"],
    [
      ["JSON body", `${maxBodyBytes / 1024} KiB`, code("PAYLOAD_TOO_LARGE")],
      ["JSON body, nested", `${maxJsonDepth} levels`, code("MALFORMED_REQUEST")],
      ["Uploaded file", `${fileBytes / 1024 ** 2} MiB by default`, code("PAYLOAD_TOO_LARGE")],
      ["URL", `${maxTargetLength} characters`, code("URI_TOO_LONG")],
      ["Path, query and headers", `${maxHeadBytes / 1024} KiB`, code("HEADERS_TOO_LARGE")],
      ["Headers", `${maxHeaders} lines`, code("HEADERS_TOO_LARGE")],
      ["Time to send a JSON body", durationOf(maxBodyMs), code("REQUEST_TIMEOUT")],
      ["Time to send a file", durationOf(maxFileMs), code("REQUEST_TIMEOUT")],
    ],
  );
}
