import { internalAdvice, platformAdvice } from "@cardbridge/api/advice";
import { errorMapping } from "@cardbridge/api/errors";
import type { ErrorCode } from "@cardbridge/domain";
import { isRetryable } from "../../../../packages/client/src/retryable.ts";
import { code, tableOf } from "./rows.ts";

/** What callers do about each error, whoever they are. */
const advice: Partial<Record<ErrorCode, string>> = { ...platformAdvice, ...internalAdvice };

/** A row of each error that platforms get, by its HTTP status. */
export const platformErrors = () => errorsTable(byStatus(platformAdvice), withAnchor);

/** A row of each error that only internal apps and operators get. */
export const internalErrors = () => errorsTable(byStatus(internalAdvice), withAnchor);

/** A row of each error. `label` is the first cell of its row. */
export function errorsTable(names: readonly ErrorCode[], label: (name: ErrorCode) => string): string {
  const rows = names.map((name) => {
    const { status } = errorMapping[name];
    const retry = isRetryable(status, name) ? "yes" : "no";
    return [label(name), String(status), retry, advice[name] ?? ""];
  });
  return tableOf(["Code", "Status", "Retry?", "What to do"], rows);
}

function byStatus(errors: Partial<Record<ErrorCode, string>>): ErrorCode[] {
  const names = Object.keys(errors) as ErrorCode[];
  return names.sort((a, b) => errorMapping[a].status - errorMapping[b].status || (a < b ? -1 : 1));
}

/** The type of an error is the address of its row. */
const withAnchor = (name: ErrorCode) => `<a id="${name.toLowerCase()}"></a>${code(name)}`;
