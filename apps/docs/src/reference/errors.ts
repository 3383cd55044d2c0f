import * as advices from "@cardbridge/api/advice";
import { errorMapping } from "@cardbridge/api/errors";
import type { ErrorCode } from "@cardbridge/domain";
import { isRetryable } from "../../../../packages/client/src/retryable.ts";
import { type Operation, operations } from "../document/operations.ts";
import { code, tableOf } from "../tables/rows.ts";
import { linkTo } from "./link.ts";

/** What callers do about each error, whoever they are. */
const advice: Partial<Record<string, string>> = Object.assign({}, ...Object.values(advices));

/** The error codes of an operation, in the order of their statuses. */
function errorCodesOf({ responses }: Operation): ErrorCode[] {
  return Object.values(responses).flatMap(
    ({ content }) => Object.keys(content?.["application/problem+json"]?.examples ?? {}) as ErrorCode[],
  );
}

/** The errors that every operation of the document has, except those about its input. */
export const commonErrors: readonly ErrorCode[] = operations
  .map(errorCodesOf)
  .reduce((common, codes) => common.filter((code) => codes.includes(code)))
  .filter((code) => code !== "INVALID_INPUT");

/** The errors of an operation: a table of its own, and a list of those of every call. */
export function errorsSection(operation: Operation): string {
  const own = errorCodesOf(operation).filter((code) => !commonErrors.includes(code));
  return `${errorsTable(own)}\n\nEvery call can also fail with ${listOf(commonErrors)}. See ${linkTo("platforms/errors", "Errors")}.`;
}

/** A row of each error. */
export const errorsTable = (codes: readonly ErrorCode[]): string =>
  tableOf(
    ["Code", "Status", "Retry", "What to do"],
    codes.map((name) => [errorLink(name), String(statusOf(name)), retry(name), advice[name] ?? ""]),
  );

const errorLink = (name: ErrorCode) => linkTo("platforms/errors", code(name), name.toLowerCase());

const statusOf = (name: ErrorCode) => errorMapping[name].status;

const retry = (name: ErrorCode) => (isRetryable(statusOf(name), name) ? "Yes" : "No");

function listOf(codes: readonly ErrorCode[]): string {
  const links = codes.map((name) => `${errorLink(name)} (${statusOf(name)})`);
  return `${links.slice(0, -1).join(", ")} or ${links.at(-1)}`;
}
