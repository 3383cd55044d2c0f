import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
// Loads the models only: the SDK's client reports every call to a metrics host.
import * as sdk from "@airwallex/node-sdk/dist/model/models.js";

const typeMap: Record<string, { name: string; type: string }[]> = sdk.typeMap;
const enumsMap: Record<string, readonly string[]> = sdk.enumsMap;
const require = createRequire(import.meta.url);

const primitives: Record<string, object> = {
  string: { type: "string" },
  number: { type: "number" },
  boolean: { type: "boolean" },
  Date: { type: "string" },
  object: {},
};

/** Builds one JSON Schema from models of the SDK and the models that they reference. */
export function sdkSchemas(roots: readonly string[]): { definitions: Record<string, object> } {
  const definitions: Record<string, object> = {};

  function define(model: string): void {
    if (definitions[model]) return;
    const attributes = typeMap[model];
    if (!attributes) throw new Error(`The SDK has no model ${model}.`);
    const optional = optionalityOf(model);
    const isSame = optional.size === attributes.length && attributes.every(({ name }) => optional.has(name));
    if (!isSame) throw new Error(`The declaration of ${model} has different attributes.`);
    const properties: Record<string, object> = {};
    definitions[model] = {
      type: "object",
      required: attributes.map(({ name }) => name).filter((name) => !optional.get(name)),
      properties,
      additionalProperties: false,
    };
    for (const { name, type } of attributes) properties[name] = schemaOf(type);
  }

  function schemaOf(type: string): object {
    const list = /^Array<(.+)>$/.exec(type)?.[1];
    if (list) return { type: "array", items: schemaOf(list) };
    const map = /^\{ \[key: string\]: (.+); \}$/.exec(type)?.[1];
    if (map) return { type: "object", additionalProperties: schemaOf(map) };
    if (enumsMap[type]) return { enum: enumsMap[type] };
    if (primitives[type]) return primitives[type];
    define(type);
    return { $ref: `#/definitions/${type}` };
  }

  for (const root of roots) define(root);
  return { definitions };
}

/** Returns which attributes the type declaration marks as optional: the SDK's values do not contain it. */
function optionalityOf(model: string): Map<string, boolean> {
  const file = `@airwallex/node-sdk/dist/model/${model[0]?.toLowerCase()}${model.slice(1)}.d.ts`;
  const declaration = readFileSync(require.resolve(file), "utf8");
  const [, afterName = ""] = declaration.split(`export interface ${model} {`);
  const [body = ""] = afterName.split("\n}");
  const attributes = [...body.matchAll(/^ {4}(\w+)(\??): /gm)];
  return new Map(attributes.map(([, name = "", mark]) => [name, mark === "?"]));
}
