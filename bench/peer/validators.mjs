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

/** Whether a date is after today wherever the day begins first (UTC+14). */
function isInFuture(date) {
  return date > new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 10);
}

/** For JSON: nothing is made into another type. */
const json = createAjv();
/** For queries, where everything comes as text. */
const text = createAjv({ coerceTypes: true });

export const compileValidator = ({ schema, httpPart }) => (httpPart === "body" ? json : text).compile(schema);

/** For what the provider answers. */
export const compileAnswer = (schema) => json.compile(schema);
