import { Ajv, type ErrorObject } from "ajv";
import type { Model } from "./models.ts";
import schemas from "./schemas.json" with { type: "json" };

const ajv = new Ajv({ schemas: [{ $id: "sdk", ...schemas }] });

/** A difference from a model. `source` is a path such as `individual.employers[0].business_name`. */
export interface Violation {
  source: string;
  message: string;
}

/** Validates a value against a model of the SDK. Unknown fields are violations. Returns the first violation. */
export function violationOf(model: Model, value: unknown): Violation | undefined {
  const validate = ajv.getSchema(`sdk#/definitions/${model}`);
  if (!validate) throw new Error(`The model ${model} has no schema.`);
  if (validate(value)) return undefined;
  const [error] = validate.errors ?? [];
  return error && { source: sourceOf(error), message: messageOf(error) };
}

function sourceOf({ instancePath, params }: ErrorObject): string {
  const field = params.missingProperty ?? params.additionalProperty;
  const path = field === undefined ? instancePath : `${instancePath}/${field}`;
  return path
    .slice(1)
    .replace(/\/(\d+)(?=\/|$)/g, "[$1]")
    .replaceAll("/", ".");
}

function messageOf(error: ErrorObject): string {
  const source = sourceOf(error);
  if (error.keyword === "required") return `${source} is mandatory`;
  if (error.keyword === "additionalProperties") return `${source} is not a field of the model`;
  if (error.keyword === "enum") return `${source} should be one of ${error.params.allowedValues.join(", ")}`;
  return `${source} ${error.message}`;
}
