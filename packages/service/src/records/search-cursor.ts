import type { PersonPlatforms, RecordSearchQuery } from "@cardbridge/domain";
import { formatPosition, parsePosition } from "../search/cursor.ts";
import type { SearchPosition } from "../search/order.ts";

export interface SearchCursor {
  after: SearchPosition;
  /** The first page's time, in microseconds since 1970. */
  asOf: number;
}

const format = /^(\d{1,16})\.(\d{1,16})\.([\w-]{1,128})$/;

/** The cursor of the next page of this search, in base64url. */
export function formatCursor(
  platforms: PersonPlatforms,
  query: RecordSearchQuery,
  { after, asOf }: SearchCursor,
): string {
  return formatPosition({ platforms, query }, [asOf, after.at, after.id]);
}

/** @throws Failure INVALID_INPUT for a cursor of another search, or of none. */
export function parseCursor(
  platforms: PersonPlatforms,
  query: RecordSearchQuery,
  cursor: string,
): SearchCursor {
  const [asOf, at, id = ""] = parsePosition({ platforms, query }, cursor, format);
  return { after: { at: Number(at), id }, asOf: Number(asOf) };
}
