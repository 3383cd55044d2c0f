import { createHash } from "node:crypto";
import { Failure, type PersonPlatforms } from "@cardbridge/domain";

/** What selects and orders the rows of a search. A page may have another size. */
interface Searched {
  platforms: PersonPlatforms;
  query: object;
}

/** The cursor of the next page of this search, in base64url. */
export function formatPosition(searched: Searched, position: readonly (string | number | bigint)[]): string {
  return Buffer.from([hashOf(searched), ...position].join(".")).toString("base64url");
}

/**
 * The parts of a position, which `format` matches.
 * @throws Failure INVALID_INPUT for a cursor of another search, or of none.
 */
export function parsePosition(searched: Searched, cursor: string, format: RegExp): string[] {
  const text = Buffer.from(cursor, "base64url").toString();
  const hash = `${hashOf(searched)}.`;
  const [, ...parts] = (text.startsWith(hash) && format.exec(text.slice(hash.length))) || [];
  if (parts.length === 0) throw invalidCursor();
  return parts;
}

function hashOf({ platforms, query }: Searched): string {
  const {
    platformIds: _platformIds,
    limit: _limit,
    cursor: _cursor,
    ...filter
  } = query as Record<string, unknown>;
  const entries = Object.entries(filter).filter(([, value]) => value !== undefined);
  const searched = [platforms === "all" ? platforms : [...platforms].sort(), entries.sort()];
  return createHash("sha256").update(JSON.stringify(searched)).digest("base64url").slice(0, 16);
}

function invalidCursor(): Failure {
  const message = "The cursor belongs to another filter, order or set of platforms. Omit it to start again.";
  return new Failure("INVALID_INPUT", { violations: [{ path: ["cursor"], rule: "search-cursor", message }] });
}
