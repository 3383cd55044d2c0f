import { type Operation, type OperationResponse, operations } from "../document/operations.ts";
import { typeInWords } from "../document/type-words.ts";
import { responseTable } from "../tables/fields.ts";
import { code, tableOf } from "../tables/rows.ts";

/** The responses of an operation that are no errors, by their statuses. */
export function successesOf({ responses }: Operation): [string, OperationResponse][] {
  return Object.entries(responses).filter(([status]) => status.startsWith("2"));
}

const headersOf = (operation: Operation) =>
  Object.assign({}, ...successesOf(operation).map(([, { headers }]) => headers)) as NonNullable<
    OperationResponse["headers"]
  >;

/** The names of the headers that every successful response has. */
const commonHeaders: readonly string[] = operations
  .map((operation) => Object.keys(headersOf(operation)))
  .reduce((common, names) => common.filter((name) => names.includes(name)));

/** The successful responses of an operation: their statuses, their fields, and their own headers. */
export function responsesSection(operation: Operation): string[] {
  const statuses = successesOf(operation).map(
    ([status, { description }]) => `- Status ${status}. ${description}`,
  );
  const content = successesOf(operation)[0]?.[1].content ?? {};
  const json = content["application/json"];
  const fields = json ? responseTable(json.schema) : `The content type is ${wordsOf(Object.keys(content))}.`;
  const own = Object.entries(headersOf(operation)).filter(([name]) => !commonHeaders.includes(name));
  const headers = own.length > 0 ? ["### Response headers", headersTable(Object.fromEntries(own))] : [];
  return [statuses.join("\n"), fields, ...headers];
}

/** A row of each header of a response. */
function headersTable(headers: NonNullable<OperationResponse["headers"]>): string {
  const rows = Object.entries(headers).map(([name, { schema, description = "" }]) => [
    code(name),
    typeInWords(schema),
    description,
  ]);
  return tableOf(["Header", "Type", "Meaning"], rows);
}

/** The headers of every successful response. */
export function commonHeadersTable(): string {
  const [first] = operations;
  const headers = first ? headersOf(first) : {};
  return headersTable(
    Object.fromEntries(Object.entries(headers).filter(([name]) => commonHeaders.includes(name))),
  );
}

function wordsOf(types: string[]): string {
  return `${types.slice(0, -1).map(code).join(", ")} or ${code(types.at(-1) ?? "")}`;
}
