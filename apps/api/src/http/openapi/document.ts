import {
  type Environment,
  idempotencyKey,
  isOperatorScope,
  platformHeader,
  platformId,
  webhookPayloads,
} from "@cardbridge/domain";
import { version } from "@cardbridge/node";
import type { RestTag } from "@cardbridge/service";
import { maxBodyBytes, maxJsonDepth } from "../../config/limits.ts";
import { basePath, docsPath } from "../../config/paths.ts";
import { problemWith } from "../errors/problem.ts";
import { namesInPath, type Route } from "../rest/routes.ts";
import { filePath } from "./file-path.ts";
import { codesOf, responses } from "./responses.ts";
import { ruleIds } from "./rule-ids.ts";
import { components, idOf, inputComponents, published } from "./schemas.ts";
import { webhookItems } from "./webhooks.ts";

const descriptionOf = (
  environment: Environment,
) => `List a user's payment cards, verify a user's identity, and receive each change as a webhook.
Start with the [quick start](${docsPath}/platforms/quick-start).

Authenticate with \`Authorization: Bearer <API key>\`. This service has the environment **${environment}**, and accepts only
keys such as \`cb_${environment}_…\`. Use keys on servers only: only upload URLs have CORS. A key belongs to one platform.
Only with keys of internal apps, \`cb_int_${environment}_…\`, the header \`${platformHeader}\` names the platform of a call.

Each \`pattern\` matches a whole value of Unicode scalar values; in Python, use \`fullmatch\`.
Encode a plus sign in a query as \`%2B\`. \`x-documented: false\` marks our extensions to the interface;
[the decisions](${docsPath}/platforms/decisions) define what it leaves open.

Raw values of the provider (card status, card type, KYC subStatus) may gain new values at any time. Tolerate unknown
values and codes. From version 1.0 of the service on, changes to this interface are only additive: new optional fields,
new enum values, new codes. Before 1.0, a minor version may contain breaking changes, which the
[changelog](${docsPath}/platforms/changelog) lists.`;

const tags: Record<RestTag, string> = {
  Cards: "Payment cards of your users.",
  KYC: "Identity verification of your users.",
  Users: "Your users' e-mails.",
  Files: "Images and documents for KYC submissions.",
  Webhooks: "Your endpoints that receive webhooks.",
  Sandbox: "Acts of the provider, for tests of your integration.",
};

interface ServiceFacts {
  publicUrl: string;
  environment: Environment;
}

/** Creates the OpenAPI 3.1 document of the REST interface from its routes. */
export function createDocument(routes: readonly Route[], { publicUrl, environment }: ServiceFacts) {
  const isQuery = ({ reads }: Route) => reads === "query";
  const operationsOf = (some: readonly Route[]) => some.map(({ operation }) => operation);
  const inputs = inputComponents(operationsOf(routes.filter((route) => !isQuery(route))));
  const bodies = Object.fromEntries(Object.entries(inputs).map(([id, input]) => [id, bodyOf(id, input)]));
  const queries = inputComponents(operationsOf(routes.filter(isQuery)));
  const outputs = components(
    [
      ...operationsOf(routes).map(({ output }) => output),
      ...webhookPayloads.map(({ schema }) => schema),
      problemWith(codesOf(routes), ruleIds(routes, [inputs, queries])),
    ],
    "output",
  );
  return {
    openapi: "3.1.0",
    info: {
      title: "cardbridge",
      version,
      description: descriptionOf(environment),
      contact: { name: "cardbridge", url: `${publicUrl}/docs` },
      license: { name: "Proprietary", url: `${publicUrl}/docs` },
    },
    servers: [{ url: publicUrl }],
    tags: Object.entries(tags)
      .filter(([name]) => routes.some(({ tag }) => tag === name))
      .map(([name, description]) => ({ name, description })),
    security: [{ apiKey: [] }],
    paths: {
      ...Object.fromEntries(routes.map(({ path }) => [basePath + path, pathItem(path)])),
      ...filePath,
    },
    webhooks: webhookItems(),
    components: {
      securitySchemes: {
        apiKey: {
          type: "http",
          scheme: "bearer",
          description: `An API key such as \`cb_${environment}_…\`.`,
        },
      },
      parameters: { Platform: platform },
      schemas: { ...bodies, ...outputs },
    },
  };

  /** The schema of a body without the path parameters. */
  function bodyOf(id: string, { properties = {}, required = [], ...schema }: ObjectSchema) {
    const route = routes.find(({ operation, reads }) => reads !== "query" && idOf(operation.input) === id);
    const inPath = namesInPath(route?.path ?? "");
    const inBody = required.filter((name) => !inPath.includes(name));
    const fields = Object.entries(properties).filter(([name]) => !inPath.includes(name));
    return {
      ...schema,
      properties: Object.fromEntries(fields),
      ...(inBody.length > 0 ? { required: inBody } : {}),
    };
  }

  function pathItem(path: string) {
    const there = routes.filter((route) => route.path === path);
    return Object.fromEntries(there.map((route) => [route.method, operationObject(route)]));
  }

  function operationObject(route: Route) {
    const { operation, path, reads, tag } = route;
    const inputId = idOf(operation.input);
    const input = reads === "query" ? queries[inputId] : pathOnly(inputs[inputId], path);
    return {
      operationId: operation.id,
      summary: operation.summary,
      description: `${operation.description}\n\nRequires the scope \`${scopesOfPlatforms(operation).join("` or `")}\`.`,
      tags: [tag],
      "x-documented": operation.documented,
      ...(reads === "query"
        ? { "x-query-schema": queries[inputId] }
        : {
            requestBody:
              reads === "form"
                ? formBody(inputId)
                : requestBody(inputId, withoutPath(operation.example.input, path)),
          }),
      parameters: [
        ...parametersOf(path, input, operation.example.input),
        ...(operation.idempotent ? [idempotencyKeyParameter] : []),
        ...(operation.platform ? [{ $ref: "#/components/parameters/Platform" }] : []),
      ],
      responses: responses(route, idOf(operation.output)),
    };
  }
}

/** The document is for platforms, which cannot have the scopes of operators. */
const scopesOfPlatforms = ({ scopes }: Route["operation"]) => scopes.filter((name) => !isOperatorScope(name));

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
/** A parameter instead of a security scheme, because generated clients send the key in every security scheme. */
const platform = {
  name: platformHeader,
  in: "header",
  description: "The id of the call's platform, only with keys of internal apps.",
  required: false,
  schema: platformSchema,
};

function requestBody(id: string, value: unknown) {
  return {
    description:
      `JSON in UTF-8, up to ${maxBodyBytes} bytes and ${maxJsonDepth} levels. Unknown fields are ignored, but a field ` +
      "that differs from a known one only in case, `_` or `-` is the error `misspelled-field`.",
    required: true,
    content: { "application/json": { schema: ref(id), examples: { complete: { value } } } },
  };
}

function formBody(id: string) {
  const encoding = {
    file: { contentType: "image/jpeg, image/png, image/webp, application/pdf" },
  };
  return {
    description:
      "A form with one file, by default up to 10 MiB. A larger file gets PAYLOAD_TOO_LARGE with its limit.",
    required: true,
    content: { "multipart/form-data": { schema: ref(id), encoding } },
  };
}

interface ObjectSchema {
  properties?: Record<string, { description?: string }>;
  required?: string[];
}

/** The path parameters of a schema. */
function pathOnly({ properties = {}, required = [] }: ObjectSchema = {}, path: string): ObjectSchema {
  const names = namesInPath(path);
  const fields = Object.entries(properties).filter(([name]) => names.includes(name));
  return { properties: Object.fromEntries(fields), required };
}

/** An example without the path parameters. */
function withoutPath(example: unknown, path: string): object {
  const names = namesInPath(path);
  return Object.fromEntries(Object.entries(example as object).filter(([name]) => !names.includes(name)));
}

/**
 * The query as parameters. `x-query-schema` has it as one schema with the rules between them, which OpenAPI parameters
 * cannot express. It is inline, because linters report an unreferenced component.
 */
function parametersOf(path: string, schema: ObjectSchema = {}, example: unknown): object[] {
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
