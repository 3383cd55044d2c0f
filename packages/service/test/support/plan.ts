import type { PersonPlatforms } from "@cardbridge/domain";
import { type SQL, sql } from "drizzle-orm";
import type { Database } from "../../src/database.ts";
import { indexesOnly } from "../../src/paging/order.ts";

interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  Plans?: PlanNode[];
}

/** How a statement reads a table. */
export interface Access {
  /** `index`, or `Seq Scan` for a scan without one. */
  index: string;
  /** The rows that the scan read, of all its loops. */
  rows: number;
}

/** Runs a statement as the operators' role, and returns how it read the tables, by their names. */
export async function explain(
  database: Database,
  platforms: PersonPlatforms,
  statement: SQL,
): Promise<Record<string, Access[]>> {
  const rows = await database.asOperators(platforms, async (tx) => {
    await tx.execute(indexesOnly);
    const result = await tx.execute<{ "QUERY PLAN": [{ Plan: PlanNode }] }>(
      sql`explain (analyze, format json) ${statement}`,
    );
    return result.rows;
  });
  const found: Record<string, Access[]> = {};
  const visit = (node: PlanNode) => {
    const { "Relation Name": table, "Node Type": type, "Index Name": index = type } = node;
    if (table !== undefined) {
      const rows = (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"];
      found[table] = [...(found[table] ?? []), { index, rows: Math.round(rows) }];
    }
    for (const child of node.Plans ?? []) visit(child);
  };
  for (const row of rows) visit(row["QUERY PLAN"][0].Plan);
  return found;
}
