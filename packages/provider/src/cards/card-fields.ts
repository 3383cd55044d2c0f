import type { Card } from "@cardbridge/domain";

/** A provider's card with the service's field names. Required fields are validated; the mapper validates the rest. */
export type CardFields = { cardId: string; status: string } & {
  readonly [field in Exclude<keyof Card, "cardId" | "status">]?: unknown;
};
