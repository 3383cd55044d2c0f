import { type AuditListQuery, auditListQuery, auditPage, type PersonPlatforms } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { formatPosition, parsePosition } from "../paging/cursor.ts";
import { namedPersons } from "../persons/names.ts";
import { exampleEntry, type Position, toListed } from "./entries.ts";
import { searchEntries, searchedPlatforms } from "./search.ts";

const format = /^(\d{1,18})\.(\d{1,18})$/;

/** Lists the audit of the platforms that the caller may access. */
export const listAudit = defineOperation({
  ...forOperators("ops.audit"),
  reach: "platforms",
  id: "audit.list",
  kind: "read",
  summary: "List audit entries",
  description:
    "Lists the audit entries of a platform, or of all that the caller may access, newest first, and says how far back it " +
    "reached. A page reads at most 50,000 entries; then `narrow` is true. Entries about keys, persons and platforms are " +
    "under the platform `internal`, which only callers with access to all platforms read.",
  input: auditListQuery,
  rules: [],
  output: auditPage,
  example: {
    input: { subject: exampleEntry.subject },
    output: {
      entries: [{ ...exampleEntry, platformId: "plt_01jexample0000000000000000", by: null }],
      nextCursor: null,
      narrow: false,
      reachesTo: exampleEntry.at,
      since: null,
    },
  },
  errors: ["PLATFORM_NOT_FOUND"],
  audit: [],

  async run(ports, call, query) {
    const platforms = searchedPlatforms(call, query);
    const { cursor, limit } = query;
    const start = cursor === undefined ? undefined : toPosition(platforms, query, cursor);
    const { page, entries, since } = await searchEntries(ports, platforms, { query, start, limit });
    const listed = entries.map(({ platformId, ...entry }) => ({ platformId, ...toListed(entry) }));
    const personOf = await namedPersons(
      ports,
      listed.map(({ person }) => person),
    );
    const { next, narrow, last } = page;
    const reached = next ?? last;
    const data = {
      entries: listed.map((entry) => ({ ...entry, by: personOf(entry.person) })),
      nextCursor: next && formatPosition({ platforms, query }, [next.txid, next.id]),
      narrow,
      reachesTo: reached && new Date(reached.at).toISOString(),
      since,
    };
    return { data };
  },
});

function toPosition(platforms: PersonPlatforms, query: AuditListQuery, cursor: string): Position {
  const [txid = "", id = ""] = parsePosition({ platforms, query }, cursor, format);
  return { txid: BigInt(txid), id: BigInt(id) };
}
