import { advice } from "@cardbridge/api/advice";
import { errorMapping } from "@cardbridge/api/errors";
import { type ErrorCode, messages, reasonMessages } from "@cardbridge/domain";

/** A section of each error code, by its HTTP status. */
export function errorCodes(): string {
  const codes = Object.keys(errorMapping) as ErrorCode[];
  const sorted = codes.sort((a, b) => errorMapping[a].status - errorMapping[b].status || (a < b ? -1 : 1));
  return sorted
    .map((code) => `### ${code}\n\nStatus ${errorMapping[code].status}. ${messages[code]}\n\n${advice[code]}`)
    .join("\n\n");
}

/** A row of each reason of a refused or rejected submission. */
export function reasons(): string {
  const rows = Object.entries(reasonMessages).map(([code, message]) => `| \`${code}\` | ${message} |`);
  return ["| Code | Message |", "| --- | --- |", ...rows].join("\n");
}
