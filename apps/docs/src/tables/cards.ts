import { operations } from "../document/operations.ts";
import { component } from "../document/schema.ts";
import { responseTable } from "./fields.ts";
import { parametersTable } from "./parameters.ts";

/** The fields of a card. */
export const cardFields = (): string => responseTable(component("Card"));

/** The parameters of the card list. */
export function cardListParameters(): string {
  const { parameters = [], querySchema } = operations.find(({ id }) => id === "cards.list") ?? {};
  const query = parameters.filter((parameter) => parameter.in === "query");
  return parametersTable(query, querySchema);
}
