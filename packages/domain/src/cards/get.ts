import * as z from "zod";
import type { Card } from "./card.ts";
import { cardId } from "./card-id.ts";

/** Parameters for one card (an extension). */
export const cardGetQuery = z.object({ cardId }).meta({ id: "CardGetQuery" });

/** A card and its owner according to the provider. */
export interface OwnedCard {
  /** The owner's externalUserId. */
  userReference: string;
  card: Card;
}
