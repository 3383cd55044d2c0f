import { createHash } from "node:crypto";
import { Failure, type PersonPlatforms, type RecordSearchQuery } from "@cardbridge/domain";

/** A place in the order of creation. */
export interface SearchPosition {
  /** Microseconds since 1970. */
  at: number;
  id: string;
}

export interface SearchCursor {
  after: SearchPosition;
  /** The first page's time, in microseconds since 1970. */
  asOf: number;
}

const format = /^([\w-]{16})\.(\d{1,16})\.(\d{1,16})\.([\w-]{1,128})$/;

/** The cursor of the next page of this search, in base64url. */
export function formatCursor(
  platforms: PersonPlatforms,
  query: RecordSearchQuery,
  { after, asOf }: SearchCursor,
): string {
  const text = [hashOf(platforms, query), asOf, after.at, after.id].join(".");
  return Buffer.from(text).toString("base64url");
}

/** @throws Failure INVALID_INPUT for a cursor of another search, or of none. */
export function parseCursor(
  platforms: PersonPlatforms,
  query: RecordSearchQuery,
  cursor: string,
): SearchCursor {
  const [, hash, asOf, at, id = ""] = format.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  if (hash !== hashOf(platforms, query)) throw invalidCursor();
  return { after: { at: Number(at), id }, asOf: Number(asOf) };
}

/** A hash of what selects and orders the records. A page may have another size. */
function hashOf(platforms: PersonPlatforms, query: RecordSearchQuery): string {
  const { platformIds: _platformIds, limit: _limit, cursor: _cursor, ...filter } = query;
  const entries = Object.entries(filter).filter(([, value]) => value !== undefined);
  const searched = [platforms === "all" ? platforms : [...platforms].sort(), entries.sort()];
  return createHash("sha256").update(JSON.stringify(searched)).digest("base64url").slice(0, 16);
}

function invalidCursor(): Failure {
  const message = "The cursor belongs to another filter, order or set of platforms. Omit it to start again.";
  return new Failure("INVALID_INPUT", { violations: [{ path: ["cursor"], rule: "search-cursor", message }] });
}
