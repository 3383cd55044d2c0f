import { errorMapping } from "@cardbridge/api/errors";
import type { ErrorCode } from "@cardbridge/domain";
import { type Operation, operations } from "../document/operations.ts";
import { errorsTable } from "../tables/errors.ts";
import { code } from "../tables/rows.ts";
import { linkTo } from "./link.ts";

/** The error codes of an operation, in the order of their statuses. */
function errorCodesOf({ responses }: Operation): ErrorCode[] {
  return Object.values(responses).flatMap(
    ({ content }) => Object.keys(content?.["application/problem+json"]?.examples ?? {}) as ErrorCode[],
  );
}

/** The errors that every operation of the document has, except those about its input. */
const commonErrors: readonly ErrorCode[] = operations
  .map(errorCodesOf)
  .reduce((common, codes) => common.filter((code) => codes.includes(code)))
  .filter((code) => code !== "INVALID_INPUT");

/** The errors of an operation: a table of its own, and a list of those of every call. */
export function errorsSection(operation: Operation): string {
  const own = errorCodesOf(operation).filter((code) => !commonErrors.includes(code));
  return `${errorsTable(own, errorLink)}\n\nEvery call can also fail with ${listOf(commonErrors)}. See ${linkTo("platforms/errors", "Errors")}.`;
}

/** A row of each error that every call can have. */
export const commonErrorsTable = (): string => errorsTable(commonErrors, errorLink);

const errorLink = (name: ErrorCode) => linkTo("platforms/errors", code(name), name.toLowerCase());

function listOf(codes: readonly ErrorCode[]): string {
  const links = codes.map((name) => `${errorLink(name)} (${errorMapping[name].status})`);
  return `${links.slice(0, -1).join(", ")} or ${links.at(-1)}`;
}
