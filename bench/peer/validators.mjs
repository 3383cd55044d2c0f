import { Ajv } from "ajv";
import formats from "ajv-formats";
import keywords from "ajv-keywords";

function createAjv(more) {
  const ajv = new Ajv({
    allErrors: true,
    useDefaults: true,
    removeAdditional: true,
    strictRequired: false,
    ...more,
  });
  formats.default(ajv);
  keywords.default(ajv, "transform");
  ajv.addKeyword({ keyword: "notInFuture", type: "string", validate: (_, date) => !isInFuture(date) });
  return ajv;
}

/** Whether a date is after today in the earliest time zone (UTC+14). */
function isInFuture(date) {
  return date > new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 10);
}

/** For JSON, without type coercion. */
const json = createAjv();
/** For queries, whose values are all text. */
const text = createAjv({ coerceTypes: true });

export const compileValidator = ({ schema, httpPart }) => (httpPart === "body" ? json : text).compile(schema);

/** For the provider's responses. */
export const compileAnswer = (schema) => json.compile(schema);
