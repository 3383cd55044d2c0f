import type { AttemptReport } from "@cardbridge/domain";
import { sql } from "drizzle-orm";

const { placeholder } = sql;

/** Stores the report of an attempt that owns its record. A statement without a report stores none. */
export const storeReport = sql<unknown>`case when ${placeholder("reportBy")}::text is not null then record_attempt(
  ${placeholder("kycRecordId")}, ${placeholder("attempt")}::integer, ${placeholder("reportStep")},
  ${placeholder("reportOutcome")}, ${placeholder("reportReason")}, ${placeholder("reportMs")}::integer,
  ${placeholder("reportBy")}
) end`;

/** The values of `storeReport`, except the id of the attempt. */
export function reportValues(report: AttemptReport | undefined) {
  return {
    reportBy: report?.by ?? null,
    reportStep: report?.step ?? null,
    reportOutcome: report?.outcome ?? null,
    reportReason: report?.reason ?? null,
    reportMs: report?.milliseconds ?? null,
  };
}
