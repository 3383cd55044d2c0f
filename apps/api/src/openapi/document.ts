import { idempotencyKey, platformHeader, platformId } from "@cardbridge/domain";
import { problemWith } from "../errors/problem.ts";
import type { Route } from "../rest/routes.ts";
import { maxBodyBytes, maxJsonDepth } from "../server/limits.ts";
import { basePath } from "../server/paths.ts";
import { filePath } from "./file-path.ts";
import { codesOf, responses } from "./responses.ts";
import { ruleIds } from "./rule-ids.ts";
import { components, idOf, inputComponents, published } from "./schemas.ts";

const description = `The gateway between your users and the card provider.

\`x-decision\` marks our answer to a question that the interface leaves open, with its number in the gap register.
Everything else is from the interface. \`x-documented: false\` marks our own extensions. Encode a plus sign in a query as
\`%2B\`.

Authenticate with \`Authorization: Bearer <API key>\`. Use keys on servers only: there is no CORS. A key belongs to one
platform. Only with keys of internal apps, \`cb_int_…\`, the header \`${platformHeader}\` names the platform of a call.

Raw values of the provider (card status, card type, KYC subStatus) may gain new values at any time. Tolerate unknown
values. Version 1 only grows: new optional fields, new enum values, new codes.`;

const tags = [
  { name: "Cards", description: "Payment cards of your users." },
  { name: "KYC", description: "Identity verification of your users." },
  { name: "Users", description: "Your users' e-mails." },
  { name: "Files", description: "Images and documents for KYC submissions." },
];

/** Creates the OpenAPI 3.1 document of the REST interface from the table of routes. */
export function createDocument(routes: readonly Route[], publicUrl: string) {
  const isQuery = ({ reads }: Route) => reads === "query";
  const operationsOf = (some: readonly Route[]) => some.map(({ operation }) => operation);
  const bodies = inputComponents(operationsOf(routes.filter((route) => !isQuery(route))));
  const queries = inputComponents(operationsOf(routes.filter(isQuery)));
  const outputs = components(
    [
      ...operationsOf(routes).map(({ output }) => output),
      problemWith(codesOf(routes), ruleIds(routes, [bodies, queries])),
    ],
    "output",
  );
  return {
    openapi: "3.1.0",
    info: {
      title: "cardbridge",
      version: "1.0.0",
      description,
      contact: { name: "cardbridge", url: `${publicUrl}/docs` },
      license: { name: "Proprietary", url: `${publicUrl}/docs` },
    },
    servers: [{ url: publicUrl }],
    tags,
    security: [{ apiKey: [] }],
    paths: {
      ...Object.fromEntries(routes.map(({ path }) => [basePath + path, pathItem(path)])),
      ...filePath,
    },
    components: {
      securitySchemes: {
        apiKey: {
          type: "http",
          scheme: "bearer",
          description: "An API key such as `cb_live_…`.",
          "x-decision": "G19",
        },
      },
      parameters: { Platform: platform },
      schemas: { ...bodies, ...outputs },
    },
  };

  function pathItem(path: string) {
    const there = routes.filter((route) => route.path === path);
    return Object.fromEntries(there.map((route) => [route.method, operationObject(route)]));
  }

  function operationObject(route: Route) {
    const { operation, reads, tag } = route;
    const inputId = idOf(operation.input);
    return {
      operationId: operation.id,
      summary: operation.summary,
      description: `${operation.description}\n\nRequires the scope \`${operation.scopes.join("` or `")}\`.`,
      tags: [tag],
      "x-documented": operation.documented,
      ...(reads === "query"
        ? { "x-query-schema": queries[inputId] }
        : {
            requestBody: reads === "form" ? formBody(inputId) : requestBody(inputId, operation.example.input),
          }),
      parameters: [
        ...(reads === "query" ? queryParameters(route.path, queries[inputId], operation.example.input) : []),
        ...(operation.idempotent ? [idempotencyKeyParameter] : []),
        ...(operation.platform ? [{ $ref: "#/components/parameters/Platform" }] : []),
      ],
      responses: responses(route, idOf(operation.output)),
    };
  }
}

const ref = (id: string) => ({ $ref: `#/components/schemas/${id}` });

const { description: keyHelp, ...keySchema } = published(idempotencyKey);
const idempotencyKeyParameter = {
  name: "Idempotency-Key",
  in: "header",
  description:
    `A unique key for this submission: ${keyHelp} The same key with the same body returns the record's current result. ` +
    "The same key with a different body is an error. Keys are stored for at least 30 days.",
  required: false,
  schema: keySchema,
};

const { description: _, ...platformSchema } = published(platformId);
/** A parameter and no security scheme: generated clients send the key in every scheme. */
const platform = {
  name: platformHeader,
  in: "header",
  description: "The id of the call's platform, only with keys of internal apps.",
  required: false,
  schema: platformSchema,
  "x-decision": "G19",
};

function requestBody(id: string, value: unknown) {
  return {
    description: `JSON in UTF-8, up to ${maxBodyBytes} bytes and ${maxJsonDepth} levels.`,
    required: true,
    content: { "application/json": { schema: ref(id), examples: { complete: { value } } } },
  };
}

function formBody(id: string) {
  const encoding = {
    file: { contentType: "image/jpeg, image/png, image/webp, image/heic, application/pdf" },
  };
  return {
    description:
      "A form with one file, by default up to 10 MB. A larger file gets PAYLOAD_TOO_LARGE with its limit.",
    required: true,
    content: { "multipart/form-data": { schema: ref(id), encoding } },
  };
}

interface ObjectSchema {
  properties?: Record<string, { description?: string }>;
  required?: string[];
}

/**
 * The query as parameters. `x-query-schema` has it as one schema with the rules between them, which OpenAPI parameters
 * cannot express. It is inline, because linters report an unreferenced component.
 */
function queryParameters(path: string, schema: ObjectSchema = {}, example: unknown): object[] {
  const values = new Map(Object.entries(example as object));
  return Object.entries(schema.properties ?? {}).map(([name, { description, ...property }]) => ({
    name,
    in: path.includes(`{${name}}`) ? "path" : "query",
    description,
    required: schema.required?.includes(name) ?? false,
    schema: property,
    ...(values.has(name) ? { example: values.get(name) } : {}),
  }));
}
