import { document } from "./document.ts";
import type { Schema } from "./schema.ts";

/** A parameter of an operation. */
export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  description?: string;
  required?: boolean;
  schema: Schema;
  example?: unknown;
}

interface Media {
  schema: Schema;
  examples?: Record<string, { value: unknown }>;
}

/** A response of an operation. */
export interface OperationResponse {
  description: string;
  headers?: Record<string, { description?: string; schema: Schema }>;
  content?: Record<string, Media>;
}

/** An operation of the OpenAPI document. */
export interface Operation {
  id: string;
  method: string;
  path: string;
  tag: string;
  summary: string;
  description: string;
  /** Whether the platform interface has it. */
  isDocumented: boolean;
  parameters: Parameter[];
  /** The parameters of the query as one schema, with the rules between them. */
  querySchema: Schema | undefined;
  body: { description: string; type: string; schema: Schema; example: unknown } | undefined;
  responses: Record<string, OperationResponse>;
}

interface OperationObject {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  "x-documented": boolean;
  "x-query-schema"?: Schema;
  parameters: (Parameter | { $ref: string })[];
  requestBody?: { description: string; content: Record<string, Media> };
  responses: Record<string, OperationResponse>;
}

/** The operations that the document describes, in its order. */
export const operations: readonly Operation[] = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item as Record<string, OperationObject>).map(([method, object]) => ({
    id: object.operationId,
    method: method.toUpperCase(),
    path,
    tag: object.tags[0] ?? "",
    summary: object.summary,
    description: object.description,
    isDocumented: object["x-documented"],
    parameters: object.parameters.map(parameterOf),
    querySchema: object["x-query-schema"],
    body: object.requestBody && bodyOf(object.requestBody),
    responses: object.responses,
  })),
);

/** The events that the document describes, by their types. */
export const events = document.webhooks as unknown as Record<string, { post: OperationObject }>;

/** The parameter itself, also of a reference. */
export function parameterOf(parameter: Parameter | { $ref: string }): Parameter {
  return "$ref" in parameter ? (document.components.parameters.Platform as Parameter) : parameter;
}

function bodyOf({ description, content }: NonNullable<OperationObject["requestBody"]>): Operation["body"] {
  const [[type, { schema, examples }] = ["", { schema: {} }]] = Object.entries(content);
  return { description, type, schema, example: exampleOf(examples) };
}

/** The first example of a body. */
export function exampleOf(examples: Media["examples"]): unknown {
  return Object.values(examples ?? {})[0]?.value;
}
