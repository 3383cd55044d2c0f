import type { Card } from "@cardbridge/domain";

/** A provider's card under the names of ours. Its required fields are checked; the mapper checks the others. */
export type CardFields = { cardId: string; status: string } & {
  readonly [field in Exclude<keyof Card, "cardId" | "status">]?: unknown;
};
