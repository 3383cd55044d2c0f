import {
  attemptWords,
  type PersonPlatforms,
  type RecordFilter,
  type RecordRow,
  type RecordSearchQuery,
  recordSearchPage,
  recordSearchQuery,
  statusOf,
} from "@cardbridge/domain";
import { and, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { renewalFields } from "../database/renewal-fields.ts";
import { requireRow } from "../database/require-row.ts";
import { shownMoment } from "../database/schema/columns.ts";
import {
  documentRequests,
  kycAttempts,
  kycRecords,
  platforms,
  recordAssignments,
} from "../database/schema.ts";
import type { Tx } from "../database/statements.ts";
import { forOperators } from "../operation/actors.ts";
import type { Call } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import { namedPlatforms } from "../operation/reach.ts";
import { formatPosition, parsePosition } from "../paging/cursor.ts";
import { mergeScans } from "../paging/merge-scans.ts";
import { comparison, indexesOnly, type SearchPosition, toMicroseconds } from "../paging/order.ts";
import { type NamePorts, namedPersons } from "../persons/names.ts";
import { exampleRow } from "./example.ts";
import {
  type Assignees,
  isOpenRequest,
  readScans,
  type Scan,
  type ScanRow,
  type Search,
  scansOf,
} from "./search-scans.ts";

/** Searches the records of all platforms that the caller may access. */
export const searchRecords = defineOperation({
  ...forOperators("ops.records.read"),
  reach: "platforms",
  id: "records.search",
  kind: "read",
  summary: "Search records",
  description:
    "Searches the records of the platforms that the caller may access, in the order of their creation. A page reads at " +
    "most 50,000 rows; then `narrow` is true.",
  input: recordSearchQuery,
  rules: [],
  output: recordSearchPage,
  example: {
    input: { needsAttention: true, order: "oldest" },
    output: { records: [exampleRow], nextCursor: null, narrow: false, asOf: "2026-01-31T13:00:00.000Z" },
  },
  errors: ["PLATFORM_NOT_FOUND"],
  audit: [],

  async run(ports, call, { platformIds, cursor, limit, order, ...filter }) {
    const platforms = namedPlatforms(call, platformIds);
    const query: RecordSearchQuery = { ...filter, order, limit };
    const assignees = assigneesOf(call, filter.assignee);
    const start = cursor === undefined ? undefined : parseCursor(platforms, query, cursor);
    const { page, rows, asOf } = await ports.database.asOperators(platforms, async (tx) => {
      const asOf = start?.asOf ?? (await readClock(tx));
      const page = await findPage(
        tx,
        { platforms, assignees, filter, order, asOf },
        { after: start?.after, limit },
      );
      return { page, rows: await readRows(tx, page.kycRecordIds), asOf };
    });
    return {
      data: {
        records: await nameAssignees(ports, rows),
        nextCursor: page.next && formatCursor(platforms, query, { after: page.next, asOf }),
        narrow: page.narrow,
        asOf: new Date(asOf / 1_000).toISOString(),
      },
    };
  },
});

/** Whose records a filter means: those of the caller and the caller's roles, or of a person. */
function assigneesOf({ person }: Call, assignee: RecordFilter["assignee"]): Assignees {
  if (assignee === "me") return { personId: person?.personId ?? null, roles: person?.roles ?? [] };
  return { personId: assignee ?? null, roles: [] };
}

/** The database's time, in microseconds since 1970. */
async function readClock(tx: Tx): Promise<number> {
  const now = toMicroseconds(sql`clock_timestamp()`);
  const { rows } = await tx.execute<{ now: string }>(sql`select ${now} as now`);
  return Number(requireRow(rows, "time").now);
}

interface FoundPage {
  kycRecordIds: string[];
  /** Where the next page starts; null after the last one. */
  next: SearchPosition | null;
  /** Whether the limit of read rows ended the page. */
  narrow: boolean;
}

/** Finds the next records of a search. It reads each scan in the order of creation, and merges the scans. */
async function findPage(
  tx: Tx,
  search: Search,
  { after, limit }: { after?: SearchPosition | undefined; limit: number },
): Promise<FoundPage> {
  await tx.execute(indexesOnly);
  const { rows, next, narrow } = await mergeScans<Scan, ScanRow>(scansOf(search, after), {
    read: async (scans, size) => (await tx.execute<ScanRow>(readScans(search, scans, size))).rows,
    continueAfter: (scan, row) => ({ ...scan, after: toPosition(row) }),
    compare: comparison(search.order),
    limit,
  });
  return { kycRecordIds: rows.map(({ id }) => id), next: next && toPosition(next), narrow };
}

const toPosition = ({ at, id }: SearchPosition): SearchPosition => ({ at, id });

/** The fields of records whose assignee has no name yet, in the order of the ids. */
async function readRows(tx: Tx, kycRecordIds: readonly string[]) {
  if (kycRecordIds.length === 0) return [];
  const last = tx
    .select({
      outcome: kycAttempts.outcome,
      reason: kycAttempts.reason,
      at: shownMoment(sql`${kycAttempts.lastStartedAt}`).as("at"),
      count: kycAttempts.count,
    })
    .from(kycAttempts)
    .where(and(eq(kycAttempts.platformId, kycRecords.platformId), eq(kycAttempts.recordId, kycRecords.id)))
    .orderBy(desc(kycAttempts.number))
    .limit(1)
    .as("last");
  const rows = await tx
    .select({
      kycRecordId: kycRecords.id,
      platformId: kycRecords.platformId,
      platformName: platforms.name,
      externalUserId: kycRecords.userId,
      resolution: kycRecords.resolution,
      status: kycRecords.status,
      subStatus: kycRecords.subStatus,
      explanation: kycRecords.explanation,
      requested: sql<string[]>`array(
        select ${documentRequests.documentType} from ${documentRequests} where ${isOpenRequest}
        order by ${documentRequests.requestedAt}, ${documentRequests.id}
      )`,
      ...renewalFields,
      createdAt: shownMoment(sql`${kycRecords.createdAt}`),
      dueAt: shownMoment(sql`${kycRecords.dueAt}`) as SQL<string | null>,
      needsAttentionSince: shownMoment(sql`${kycRecords.needsAttentionSince}`) as SQL<string | null>,
      lastAttempt: { outcome: last.outcome, reason: last.reason, at: last.at, count: last.count },
      assignee: recordAssignments.assignee,
      assignedRole: recordAssignments.role,
      assignmentVersion: recordAssignments.version,
    })
    .from(kycRecords)
    .innerJoin(platforms, eq(platforms.id, kycRecords.platformId))
    .leftJoin(
      recordAssignments,
      and(
        eq(recordAssignments.platformId, kycRecords.platformId),
        eq(recordAssignments.recordId, kycRecords.id),
      ),
    )
    .leftJoinLateral(last, sql`true`)
    .where(inArray(kycRecords.id, [...kycRecordIds]));
  const byId = new Map(rows.map((row) => [row.kycRecordId, row]));
  return kycRecordIds.flatMap((id) => byId.get(id) ?? []);
}

type Row = Awaited<ReturnType<typeof readRows>>[number];

/** Adds the names of the assignees. */
async function nameAssignees(ports: NamePorts, rows: readonly Row[]): Promise<RecordRow[]> {
  const nameOf = await namedPersons(
    ports,
    rows.map(({ assignee }) => assignee),
  );
  return rows.map(({ explanation, lastAttempt, assignee, assignmentVersion, ...row }) => ({
    ...row,
    status: statusOf(row),
    reasons: explanation?.reasons.map(({ code }) => code) ?? [],
    lastAttempt: lastAttempt && { ...lastAttempt, words: attemptWords(lastAttempt) },
    assignee: nameOf(assignee),
    assignmentVersion: assignmentVersion ?? 0,
  }));
}

interface SearchCursor {
  after: SearchPosition;
  /** The first page's time, in microseconds since 1970. */
  asOf: number;
}

const cursorFormat = /^(\d{1,16})\.(\d{1,16})\.([\w-]{1,128})$/;

/** The cursor of the next page of this search, in base64url. */
function formatCursor(
  platforms: PersonPlatforms,
  query: RecordSearchQuery,
  { after, asOf }: SearchCursor,
): string {
  return formatPosition({ platforms, query }, [asOf, after.at, after.id]);
}

/** @throws Failure INVALID_INPUT for a cursor of another search, or of none. */
function parseCursor(platforms: PersonPlatforms, query: RecordSearchQuery, cursor: string): SearchCursor {
  const [asOf, at, id = ""] = parsePosition({ platforms, query }, cursor, cursorFormat);
  return { after: { at: Number(at), id }, asOf: Number(asOf) };
}
