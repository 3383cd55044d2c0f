import * as z from "zod";
import { identifierFields, type OneIdentifier } from "../identity/identifier.ts";
import { narrowInput } from "../input/narrow-input.ts";
import { pageFields, pageOf } from "../input/pagination.ts";
import { card, cardStatus } from "./card.ts";

/** Parameters of the card list (interface, section 4.1). */
export const cardListQuery = narrowInput<OneIdentifier>()(
  z
    .object({
      ...identifierFields,
      status: cardStatus.optional().meta({
        description:
          "Filters by the raw card status. Known values: active, locked, lost, inactive; others may exist.",
      }),
      ...pageFields,
    })
    .meta({ id: "CardListQuery" }),
);

/** One page of cards (interface, sections 2.1 and 2.2), newest first. */
export const cardPage = pageOf(card).meta({ id: "CardPage" });
