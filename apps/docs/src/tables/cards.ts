import { document } from "../document/document.ts";
import { component, type Schema } from "../document/schema.ts";
import { typeInWords } from "../document/type-words.ts";
import { meaningOf, responseTable } from "./fields.ts";
import { tableOf } from "./rows.ts";

/** The fields of a card. */
export const cardFields = (): string => responseTable(component("Card"));

/** The parameters of the card list. */
export function cardListParameters(): string {
  const { get } = document.paths["/openapi/v1/cards/list"] as {
    get: { parameters: { in: string; name: string; description?: string; schema: Schema }[] };
  };
  const rows = get.parameters
    .filter((parameter) => parameter.in === "query")
    .map(({ name, schema, description }) => [
      `\`${name}\``,
      typeInWords(schema),
      schema.default === undefined ? "" : `${schema.default}`,
      description ?? meaningOf(schema),
    ]);
  return tableOf(["Parameter", "Type", "Default", "Meaning"], rows);
}
