import type { PersonPlatforms, RecordFilter } from "@cardbridge/domain";

/**
 * How a search reads records in the order of their creation: the index, and the rows that it contains. A search with
 * any other filter reads its path, up to the limit of rows, and compares each row.
 */
export const searchPaths = {
  /** The records of a person, which are few: they are read completely and sorted. */
  assignee: { index: "record_assignments_of_person" },
  needsAttention: { index: "kyc_records_needing_attention" },
  open: { index: "kyc_records_open" },
  /** One scan for each platform, merged. */
  platforms: { index: "kyc_records_created_of_platform" },
  all: { index: "kyc_records_created" },
} as const;

export type SearchPath = keyof typeof searchPaths;

/** The path with the fewest records. Operators' rights skip the records of other platforms within an index. */
export function pathOf(platforms: PersonPlatforms, filter: RecordFilter): SearchPath {
  if (filter.assignee !== undefined && filter.assignee !== "none") return "assignee";
  if (filter.needsAttention) return "needsAttention";
  if (filter.open) return "open";
  return platforms === "all" ? "all" : "platforms";
}
