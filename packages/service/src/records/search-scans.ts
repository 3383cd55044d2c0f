import type { PersonPlatforms, RecordFilter, Role } from "@cardbridge/domain";
import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { documentRequests, kycRecords, recordAssignments } from "../database/schema.ts";
import type { Scanned } from "../paging/merge-scans.ts";
import { type SearchPosition, toMicroseconds, toMoment } from "../paging/order.ts";

/**
 * How a search reads records in the order of their creation: the index, and the rows that it contains. A search with
 * any other filter reads its path, up to the limit of rows, and compares each row.
 */
export const searchPaths = {
  /** The records of a person and of roles, which are few: they are read completely and sorted. */
  assignee: { index: "record_assignments_of_person", indexOfRoles: "record_assignments_of_role" },
  needsAttention: { index: "kyc_records_needing_attention" },
  open: { index: "kyc_records_open" },
  documentExpiry: { index: "kyc_records_expiring" },
  /** One scan for each platform, merged. */
  platforms: { index: "kyc_records_created_of_platform" },
  all: { index: "kyc_records_created" },
} as const;

type SearchPath = keyof typeof searchPaths;

/** The path with the fewest records. Operators' rights skip the records of other platforms within an index. */
export function pathOf(platforms: PersonPlatforms, filter: RecordFilter): SearchPath {
  if (filter.assignee !== undefined && filter.assignee !== "none") return "assignee";
  if (filter.needsAttention) return "needsAttention";
  // A decision closes the requests of its record.
  if (filter.open || filter.requested) return "open";
  if (filter.documentExpiry) return "documentExpiry";
  return platforms === "all" ? "all" : "platforms";
}

export interface Search {
  platforms: PersonPlatforms;
  /** Whose records the filter means, if it names a person or the caller. */
  assignees: Assignees;
  filter: RecordFilter;
  order: "oldest" | "newest";
  /** Later records are on no page; in microseconds since 1970. */
  asOf: number;
}

/** A person, and roles to which records are assigned in place of one. */
export interface Assignees {
  personId: string | null;
  roles: readonly Role[];
}

/** The assignments of a person and of roles, each in its index. */
export const assignedTo = ({ personId, roles }: Assignees) => sql`
  select ${recordAssignments.platformId} as platform_id, ${recordAssignments.recordId} as record_id
  from ${recordAssignments} where ${recordAssignments.assignee} = ${personId}
  union all
  select ${recordAssignments.platformId}, ${recordAssignments.recordId}
  from ${recordAssignments} where ${recordAssignments.role} = any(${sql.param([...roles])}::text[])`;

/** A scan in the order of creation: of one platform's records, or of the path's records of all visible platforms. */
export interface Scan {
  platformId: string | null;
  /** The last read row. */
  after: SearchPosition;
}

/** A row that matches, or the last row that the statement read from its scan. */
export interface ScanRow extends Record<string, unknown>, SearchPosition, Scanned {}

const id = sql`${kycRecords.id} collate "C"`;
export const isOpen = sql`(${kycRecords.dueAt} is not null or ${kycRecords.needsAttentionSince} is not null)`;
export const needsAttention = sql`${kycRecords.needsAttentionSince} is not null`;
/** The first two conditions are those of the partial index. */
export const hasExpiry = (expiry: NonNullable<RecordFilter["documentExpiry"]>) =>
  sql`${kycRecords.status} = 'APPROVED' and ${kycRecords.documentExpiry} in ('expiring', 'expired') and ${kycRecords.documentExpiry} = ${expiry}`;
/** Of the record that a statement reads. */
export const isOpenRequest = and(
  eq(documentRequests.platformId, kycRecords.platformId),
  eq(documentRequests.recordId, kycRecords.id),
  eq(documentRequests.status, "open"),
);

/** The scans of a search. Ids consist of ASCII characters below `~`. */
export function scansOf({ platforms, filter, order, asOf }: Search, after?: SearchPosition): Scan[] {
  const start = after ?? (order === "newest" ? { at: asOf, id: "~" } : { at: 0, id: "" });
  const isMerged = pathOf(platforms, filter) === "platforms" && platforms !== "all";
  return (isMerged ? platforms : [null]).map((platformId) => ({ platformId, after: start }));
}

/** Reads the next rows of scans, up to `limit` of each: their number, the matching ones and the last one. */
export function readScans(
  { platforms, assignees, filter, order, asOf }: Search,
  scans: readonly Scan[],
  limit: number,
) {
  const path = pathOf(platforms, filter);
  const direction = sql.raw(order === "newest" ? "desc" : "asc");
  // The order of the indexes, although the column has no nulls.
  const nulls = sql.raw(order === "newest" ? "nulls last" : "nulls first");
  const isAfter = sql.raw(order === "newest" ? "<" : ">");
  // Of a single scan, the planner knows the position, and estimates the rows behind it.
  const [single] = path === "platforms" ? [] : scans;
  const after = single
    ? sql`(${toMoment(sql`${single.after.at}::bigint`)}, ${single.after.id})`
    : sql`(${toMoment(sql`scan.at`)}, scan.id)`;
  const condition = and(
    path === "platforms" ? sql`${kycRecords.platformId} collate "C" = scan.platform_id` : undefined,
    path === "needsAttention" ? needsAttention : undefined,
    path === "open" ? isOpen : undefined,
    path === "documentExpiry" && filter.documentExpiry ? hasExpiry(filter.documentExpiry) : undefined,
    sql`(${kycRecords.createdAt}, ${id}) ${isAfter} ${after}`,
    sql`${kycRecords.createdAt} <= ${toMoment(sql`${asOf}::bigint`)}`,
    filter.createdAfter === undefined
      ? undefined
      : sql`${kycRecords.createdAt} >= ${filter.createdAfter}::timestamptz`,
    filter.createdBefore === undefined
      ? undefined
      : sql`${kycRecords.createdAt} <= ${filter.createdBefore}::timestamptz`,
  );
  const list = (values: (string | number | null)[], type: string) =>
    sql`${sql.param(values)}::${sql.raw(type)}[]`;
  return sql<ScanRow>`
    with mine as materialized (${assignedTo(assignees)})
    select scan::int, (${toMicroseconds(sql`created_at`)})::float8 as at, id, matches, read::int
    from (
      select scan.number as scan, found.*,
        row_number() over (partition by scan.number order by found.created_at ${direction}, found.id ${direction}) as nth,
        count(*) over (partition by scan.number) as read
      from unnest(
        ${list(
          scans.map(({ platformId }) => platformId),
          "text",
        )},
        ${list(
          scans.map(({ after }) => after.at),
          "bigint",
        )},
        ${list(
          scans.map(({ after }) => after.id),
          "text",
        )}
      ) with ordinality as scan (platform_id, at, id, number)
      cross join lateral (
        select ${kycRecords.createdAt} as created_at, ${id} as id, ${matches(filter)} as matches
        from ${path === "assignee" ? sql`mine join ${kycRecords} on ${and(eq(kycRecords.platformId, sql`mine.platform_id`), eq(kycRecords.id, sql`mine.record_id`))}` : kycRecords}
        where ${condition}
        order by ${kycRecords.createdAt} ${direction} ${nulls}, ${id} ${direction}
        limit ${limit}
      ) as found
    ) as rows
    where matches or nth = read
    order by created_at ${direction}, id ${direction}`;
}

/** What the path of a search does not select already. */
function matches({
  open,
  needsAttention: attention,
  requested,
  resolution,
  status,
  documentExpiry,
  reason,
  assignee,
}: RecordFilter): SQL {
  const unassigned = sql`not exists (
    select from ${recordAssignments}
    where ${recordAssignments.platformId} = ${kycRecords.platformId} and ${recordAssignments.recordId} = ${kycRecords.id}
      and (${recordAssignments.assignee} is not null or ${recordAssignments.role} is not null)
  )`;
  const isRequested = sql`exists (select from ${documentRequests} where ${isOpenRequest})`;
  const all = and(
    open === undefined ? undefined : open ? isOpen : sql`not ${isOpen}`,
    attention === undefined ? undefined : attention ? needsAttention : isNull(kycRecords.needsAttentionSince),
    requested === undefined ? undefined : requested ? isRequested : sql`not ${isRequested}`,
    resolution && eq(kycRecords.resolution, resolution),
    // An unresolved record has the provisional status PENDING (G14).
    status &&
      sql`coalesce(${kycRecords.status}, case ${kycRecords.resolution} when 'unresolved' then 'PENDING' end) = ${status}`,
    documentExpiry && hasExpiry(documentExpiry),
    reason && sql`${kycRecords.explanation} @> ${JSON.stringify({ reasons: [{ code: reason }] })}::jsonb`,
    assignee === "none" ? unassigned : undefined,
  );
  return all ? sql`coalesce(${all}, false)` : sql`true`;
}
