import { Ajv, type Options } from "ajv";
import formats from "ajv-formats";
import keywords from "ajv-keywords";
import type { FastifySchema, FastifySchemaCompiler } from "fastify";
import { isInFuture } from "../common/vocabulary.js";

const options: Options = {
  allErrors: true,
  useDefaults: true,
  removeAdditional: true,
  strictRequired: false,
};

function createAjv(more: Options = {}): Ajv {
  const ajv = new Ajv({ ...options, ...more });
  formats.default(ajv);
  keywords.default(ajv, "transform");
  ajv.addKeyword({
    keyword: "notInFuture",
    type: "string",
    validate: (_: true, date: string) => !isInFuture(date),
  });
  return ajv;
}

/** For JSON: nothing is made into another type. */
const json = createAjv();
/** For queries, where everything comes as text. */
const text = createAjv({ coerceTypes: true });

export const compileValidator: FastifySchemaCompiler<FastifySchema> = ({ schema, httpPart }) =>
  (httpPart === "body" ? json : text).compile(schema);

/** For what the provider answers. */
export function compileAnswer<T>(schema: object) {
  return json.compile<T>(schema);
}
