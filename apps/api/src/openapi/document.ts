import { platformHeader } from "@cardbridge/domain";
import { problemWith } from "../errors/problem.ts";
import type { Route } from "../rest/routes.ts";
import { basePath } from "../server/paths.ts";
import { codesOf, responses } from "./responses.ts";
import { components, idOf, inputComponents } from "./schemas.ts";

const description = `The gateway between your users and the card provider.

What carries \`x-decision\` is our answer to a question that the interface leaves open, by its number in the
gap register; the rest is the interface's own. Operations marked \`x-documented: false\` are extensions of ours. In a query,
write a plus sign as \`%2B\`.

Authenticate with \`Authorization: Bearer <API key>\`. Keys belong on servers: there is no CORS. A key is of one platform; only
keys of internal apps, \`cb_int_…\`, name the platform of each call in \`${platformHeader}\`.

Raw values of the provider (card status, card type, KYC subStatus) may gain new values at any time; tolerate
what you do not know. Version 1 only ever grows: new optional fields, new enum values, new codes.`;

const tags = [
  { name: "Cards", description: "Payment cards of your users." },
  { name: "KYC", description: "Identity verification of your users." },
  { name: "Files", description: "Images and documents that a KYC submission names." },
];

/** The OpenAPI 3.1 document of the REST interface, made from the table of routes and nothing else. */
export function createDocument(routes: readonly Route[], publicUrl: string, notes = "") {
  const isQuery = ({ reads }: Route) => reads === "query";
  const operationsOf = (some: readonly Route[]) => some.map(({ operation }) => operation);
  const bodies = inputComponents(operationsOf(routes.filter((route) => !isQuery(route))));
  const queries = inputComponents(operationsOf(routes.filter(isQuery)));
  const outputs = components(
    [...operationsOf(routes).map(({ output }) => output), problemWith(codesOf(routes))],
    "output",
  );
  return {
    openapi: "3.1.0",
    info: {
      title: "cardbridge",
      version: "1.0.0",
      description: `${description}${notes}`,
      contact: { name: "cardbridge", url: `${publicUrl}/docs` },
      license: { name: "Proprietary", url: `${publicUrl}/docs` },
    },
    servers: [{ url: publicUrl }],
    tags,
    security: [{ apiKey: [] }, { apiKey: [], platform: [] }],
    paths: Object.fromEntries(routes.map(({ path }) => [basePath + path, pathItem(path)])),
    components: {
      securitySchemes: {
        apiKey: {
          type: "http",
          scheme: "bearer",
          description: "An API key such as `cb_live_…`.",
          "x-decision": "G19",
        },
        platform: {
          type: "apiKey",
          in: "header",
          name: platformHeader,
          description: "The id of the platform that the call is for; with keys of internal apps only.",
          "x-decision": "G19",
        },
      },
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
      description: `${operation.description}\n\nNeeds the scope \`${operation.scopes.join("` or `")}\`.`,
      tags: [tag],
      "x-documented": operation.documented,
      ...(reads === "query"
        ? queryObjects(route.path, queries[inputId], operation.example.input)
        : reads === "form"
          ? { requestBody: formBody(inputId) }
          : { requestBody: requestBody(inputId, operation.example.input) }),
      ...(operation.idempotent ? { parameters: [idempotencyKey] } : {}),
      responses: responses(route, idOf(operation.output)),
    };
  }
}

const ref = (id: string) => ({ $ref: `#/components/schemas/${id}` });

const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  description:
    "Your name for this submission, 1 to 255 visible ASCII characters. The same key with the same body repeats the " +
    "record's current result; with another body it is refused. Kept for 30 days at least.",
  required: false,
  schema: { type: "string", minLength: 1, maxLength: 255 },
  "x-decision": "G20",
};

function requestBody(id: string, value: unknown) {
  return {
    required: true,
    content: { "application/json": { schema: ref(id), examples: { complete: { value } } } },
  };
}

function formBody(id: string) {
  const encoding = {
    file: { contentType: "image/jpeg, image/png, image/webp, image/heic, application/pdf" },
  };
  return { required: true, content: { "multipart/form-data": { schema: ref(id), encoding } } };
}

interface ObjectSchema {
  properties?: Record<string, { description?: string }>;
  required?: string[];
}

/**
 * The query as single parameters, and once more as one schema: OpenAPI cannot relate parameters to each other,
 * and linters call a component unused that no parameter is.
 */
function queryObjects(path: string, schema: ObjectSchema = {}, example: unknown) {
  const values = new Map(Object.entries(example as object));
  const parameters = Object.entries(schema.properties ?? {}).map(([name, { description, ...property }]) => ({
    name,
    in: path.includes(`{${name}}`) ? "path" : "query",
    description,
    required: schema.required?.includes(name) ?? false,
    schema: property,
    ...(values.has(name) ? { example: values.get(name) } : {}),
  }));
  return { parameters, "x-query-schema": schema };
}
