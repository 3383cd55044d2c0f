import {
  type Code,
  type ErrorCode,
  environmentHeader,
  environments,
  Failure,
  type KycRecord,
  messages,
  newRecord,
  parseInput,
  refusalOf,
} from "@cardbridge/domain";
import { type Operation, readFile } from "@cardbridge/service";
import { basePath, isKyc } from "../../config/paths.ts";
import { commonErrors } from "../errors/common-errors.ts";
import { errorMapping } from "../errors/mapping.ts";
import { type ProblemOptions, problemHeaders, toProblem } from "../errors/problem.ts";
import { styleOf } from "../errors/render.ts";
import { acceptedStatus, type Route } from "../rest/routes.ts";

const anyChange: ErrorCode[] = ["CROSS_ORIGIN"];
const anyBody: ErrorCode[] = ["PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"];

/** The error codes of requests without a matching route. */
const noRoute: ErrorCode[] = ["ROUTE_NOT_FOUND", "METHOD_NOT_ALLOWED"];

/** The error codes of these routes. Other transports have further codes. */
export function codesOf(routes: readonly Route[]): ErrorCode[] {
  const own = [...routes.flatMap(({ operation }) => operation.errors), ...readFile.errors];
  return [...new Set([...commonErrors, ...anyChange, ...anyBody, ...noRoute, ...own])];
}

const exampleRequestId = "req_01jexample0000000000000000";

const headerSchemas: Record<string, object> = {
  "x-request-id": { description: "The id of this request.", required: true, schema: { type: "string" } },
  [environmentHeader]: {
    description: "The environment of the service.",
    required: true,
    schema: { type: "string", enum: environments },
  },
  "retry-after": { description: "The delay before a retry, in seconds.", schema: { type: "integer" } },
  ratelimit: {
    description: "The remaining calls of the platform, and the seconds until the next one is available.",
    schema: { type: "string", examples: ['"reads";r=5999;t=1'] },
  },
  "ratelimit-policy": {
    description:
      "The platform's quota and its window in seconds. It is that of each process of the service, unless the operator has one quota for all processes.",
    schema: { type: "string", examples: ['"reads";q=6000;w=60'] },
  },
  location: {
    description: "The URL that reads the accepted record.",
    required: true,
    schema: { type: "string" },
  },
  "www-authenticate": { description: "How to authenticate.", schema: { type: "string" } },
  "idempotent-replayed": {
    description: "`true` if the response repeats the result of an equal submission.",
    schema: { type: "string", enum: ["true"] },
  },
};

/** The headers of every response to an authenticated caller of a platform with a limit (gap G22). */
export const allowance = ["ratelimit", "ratelimit-policy"];

/** Every response of a route, by HTTP status. */
export function responses(route: Route, outputId: string): Record<string, object> {
  const { operation, status, accepted } = route;
  return {
    [status]: success(operation, outputId, accepted && codeOf(operation.example.output)),
    ...(accepted && { [acceptedStatus]: acceptance(operation, outputId, accepted.code) }),
    ...errorResponses(operation, route),
  };
}

/** @param code the code of the result, if the route has several */
function success(operation: Operation, outputId: string, code: Code | undefined): object {
  return {
    description: descriptionOf(code),
    headers: successHeaders(operation),
    content: successContent(outputId, code, operation.example.output),
  };
}

/** The response with a result that is not final. */
function acceptance(operation: Operation, outputId: string, code: Code): object {
  const pending = { code, message: messages[code], status: "PENDING", subStatus: null, cardAccountId: null };
  return {
    description: descriptionOf(code),
    headers: successHeaders(operation, ["location", "retry-after"]),
    content: successContent(outputId, code, { ...(operation.example.output as object), ...pending }),
  };
}

function descriptionOf(code: Code | undefined): string {
  return code === undefined ? "The result." : `\`${code}\`: ${messages[code]}`;
}

function successHeaders({ idempotent }: Operation, own: string[] = []): object {
  return pickHeaders([...own, ...allowance, ...(idempotent ? ["idempotent-replayed"] : [])]);
}

function successContent(outputId: string, code: Code | undefined, value: unknown): object {
  const schema = { $ref: `#/components/schemas/${outputId}` };
  return { "application/json": { schema, examples: { [code ?? "answer"]: { value } } } };
}

function codeOf(output: unknown): Code {
  return (output as { code: Code }).code;
}

/** Every error response of an operation, by HTTP status. */
export function errorResponses(
  operation: Operation,
  { method, path, reads }: Pick<Route, "method" | "path" | "reads">,
): Record<string, object> {
  const codes = [
    ...commonErrors,
    ...(operation.kind === "read" ? [] : anyChange),
    ...(reads === "query" ? [] : anyBody),
    ...operation.errors,
  ];
  const options = {
    requestId: exampleRequestId,
    style: styleOf(method.toUpperCase()),
    ofKyc: isKyc(basePath + path),
  };
  const statuses = new Set(codes.map((code) => errorMapping[code].status));
  return Object.fromEntries(
    [...statuses].map((status) => [
      status,
      errorResponse(
        operation,
        options,
        codes.filter((code) => errorMapping[code].status === status),
      ),
    ]),
  );
}

function errorResponse(operation: Operation, options: ProblemOptions, codes: ErrorCode[]): object {
  const failures = codes.map((code) => exampleFailure(code, operation));
  const headers = failures.flatMap((failure) => Object.keys(problemHeaders(failure)));
  return {
    description: codes.map((code) => `\`${code}\`: ${messages[code]}`).join("\n\n"),
    headers: pickHeaders([...headers, ...allowance]),
    content: {
      "application/problem+json": {
        schema: { $ref: "#/components/schemas/Problem" },
        examples: Object.fromEntries(
          failures.map((failure) => [failure.code, { value: toProblem(failure, options) }]),
        ),
      },
    },
  };
}

const exampleRefused: KycRecord = {
  ...newRecord,
  resolution: "refused",
  explanation: { reasons: [{ code: "DOCUMENT_EXPIRED", field: "/documentExpiryDate" }], final: false },
  kycRecordId: "kyc_01jexample0000000000000000",
  externalUserId: "usr_2x4y6z8a0b2c4d6e8f0g2h4j6k",
  createdAt: new Date(0),
};

function exampleFailure(code: ErrorCode, operation: Operation): Failure {
  if (code === "KYC_REFUSED") return refusalOf(exampleRefused, true);
  const empty = parseInput(operation.input, operation.rules, {});
  const violations = code === "INVALID_INPUT" && !empty.ok ? empty.violations.slice(-2) : [];
  return new Failure(code, {
    violations,
    ...(code.startsWith("KYC_") ? { kycRecordId: "kyc_01jexample0000000000000000" } : {}),
    ...([429, 503].includes(errorMapping[code].status) ? { retryAfterSeconds: 5 } : {}),
  });
}

export function pickHeaders(names: string[]): Record<string, object> {
  const entries = ["x-request-id", environmentHeader, ...names].map((name) => [name, headerSchemas[name]]);
  return Object.fromEntries(entries.filter(([, schema]) => schema !== undefined));
}
