import { maxBodyBytes, maxJsonDepth } from "@cardbridge/api/limits";
import { defaultRates, rateClassOf } from "@cardbridge/api/rate";
import { variables } from "@cardbridge/api/variables";
import type { Operation } from "../document/operations.ts";
import { tableOf } from "../tables/rows.ts";
import { linkTo } from "./link.ts";
import { isUpload } from "./snippets/request.ts";

const count = new Intl.NumberFormat("en");
const maxFileBytes = variables.shape.FILE_MAX_BYTES.parse(undefined);

/** The limits of an operation as a table. */
export function limitsTable(operation: Operation): string {
  const { method, path, parameters, body } = operation;
  const rateClass = rateClassOf(method, path);
  const { calls, seconds } = defaultRates[rateClass];
  const rows = [
    [
      "Rate",
      `By default ${count.format(calls)} calls in ${seconds} seconds for each platform, ` +
        `together with its other ${rateClass} (${linkTo("platforms/retries", "rate limits", "rate-limits")})`,
    ],
  ];
  if (body) rows.push(["Body", isUpload(operation) ? fileLimit : jsonLimit]);
  const pageSize = parameters.find(({ name }) => name === "pageSize")?.schema;
  if (pageSize)
    rows.push(["Page size", `Up to ${pageSize.maximum} items; by default ${String(pageSize.default)}`]);
  rows.push(["Idempotency-Key", keySupport(operation)]);
  return tableOf(["Limit", "Value"], rows);
}

const fileLimit = `One file of up to ${count.format(maxFileBytes)} bytes by default`;
const jsonLimit = `Up to ${count.format(maxBodyBytes)} bytes and ${maxJsonDepth} levels of JSON`;

function keySupport({ parameters, method }: Operation): string {
  const isSupported = parameters.some(({ name }) => name === "Idempotency-Key");
  if (isSupported) return `Optional (${linkTo("platforms/retries", "idempotency and retries")})`;
  if (method === "GET") return "Not needed: the call changes nothing. A request with this header gets 400";
  return `Not supported: a request with this header gets 400 (${linkTo("platforms/retries", "what to retry", "what-to-retry")})`;
}
