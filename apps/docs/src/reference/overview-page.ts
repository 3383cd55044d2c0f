import { documentPath } from "../../../api/src/config/paths.ts";
import { developmentUrl } from "../document/document.ts";
import { operations } from "../document/operations.ts";
import { addressOf } from "../source/links.ts";
import type { Page } from "../source/page.ts";
import { code, tableOf } from "../tables/rows.ts";
import { commonErrorsTable } from "./errors.ts";
import { linkTo } from "./link.ts";
import { scopeInWords } from "./operation-page.ts";
import { commonHeadersTable } from "./responses.ts";
import { developmentKey } from "./snippets/request.ts";

/** The first page of the reference: all operations, and what they have in common. */
export function overviewPage(): Page {
  const description = "All operations of the REST interface, and what they have in common.";
  const blocks = [
    `${description} The [OpenAPI document](${documentPath}) describes them for tools.`,
    "## Operations",
    operationsTable(),
    `cardbridge also sends [webhook events](${addressOf("reference/events")}).`,
    "## Conventions",
    tableOf(["What", "Convention"], conventions()),
    "## Headers of every response",
    commonHeadersTable(),
    "## Errors of every call",
    `${linkTo("platforms/errors", "Errors")} describes the body of an error. *Retry?* says whether the same request may succeed after a delay.`,
    commonErrorsTable(),
  ];
  return { slug: "reference", title: "API reference", description, markdown: `${blocks.join("\n\n")}\n` };
}

function operationsTable(): string {
  const rows = operations.map((operation) => [
    `[${operation.summary}](${addressOf(`reference/${operation.id}`)})`,
    code(`${operation.method} ${operation.path}`),
    scopeInWords(operation),
  ]);
  return tableOf(["Operation", "Request", "Scope of the key"], rows);
}

const conventions = () => [
  ["Base address", code(developmentUrl)],
  [
    "Authentication",
    `The header ${code(`Authorization: Bearer ${developmentKey}`)}, from servers only (${linkTo("platforms/authentication", "authentication")})`,
  ],
  ["Content type", `${code("application/json")} in UTF-8, except for files`],
  ["Names", "Fields and parameters are in camelCase. A plus sign in a query is written as `%2B`"],
  ["Times", "RFC 3339 in UTC. Dates are `yyyy-MM-dd`"],
  [
    "Errors",
    `${code("application/problem+json")} with a ${code("code")} (${linkTo("platforms/errors", "errors")})`,
  ],
  [
    "Pages",
    `${code("page")} and ${code("pageSize")}, or ${code("cursor")} for deliveries of webhooks (${linkTo("platforms/cards", "cards and pagination")})`,
  ],
  [
    "Retries",
    `A submission takes an ${code("Idempotency-Key")} (${linkTo("platforms/retries", "idempotency and retries")})`,
  ],
  [
    "New values",
    `Responses may gain fields, values after *such as*, and codes: tolerate unknown ones (${linkTo("platforms/versioning", "versioning")})`,
  ],
  [
    "Fields",
    `A dot separates the name of an object from its field, and ${code("[]")} stands for each item of an array. An *optional* field of a response can be absent`,
  ],
];
