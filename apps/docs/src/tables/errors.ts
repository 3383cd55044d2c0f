import { internalAdvice, platformAdvice } from "@cardbridge/api/advice";
import { errorMapping } from "@cardbridge/api/errors";
import type { ErrorCode } from "@cardbridge/domain";
import { isRetryable } from "../../../../packages/client/src/retryable.ts";
import { code, tableOf } from "./rows.ts";

/** A row of each error that platforms get, by its HTTP status. */
export const platformErrors = () => errorTable(platformAdvice);

/** A row of each error that only internal apps and operators get. */
export const internalErrors = () => errorTable(internalAdvice);

/** The type of an error is the address of its row. */
function errorTable(advice: Partial<Record<ErrorCode, string>>): string {
  const known = Object.keys(advice) as ErrorCode[];
  const sorted = known.sort((a, b) => errorMapping[a].status - errorMapping[b].status || (a < b ? -1 : 1));
  const rows = sorted.map((name) => {
    const { status } = errorMapping[name];
    const retry = isRetryable(status, name) ? "yes" : "no";
    return [`<a id="${name.toLowerCase()}"></a>${code(name)}`, String(status), retry, advice[name] ?? ""];
  });
  return tableOf(["Code", "Status", "Retry?", "What to do"], rows);
}
