import { type ErrorCode, messages, reasonMessages } from "@cardbridge/domain";
import { advice } from "../errors/advice.ts";
import { errorMapping } from "../errors/mapping.ts";

/** Renders the generated sections of the page of errors: each error code by its HTTP status, and each reason. */
export function errorCodesSection(): string {
  const codes = Object.keys(errorMapping) as ErrorCode[];
  const sorted = codes.sort((a, b) => errorMapping[a].status - errorMapping[b].status || (a < b ? -1 : 1));
  const entries = sorted.map(
    (code) => `### ${code}\n\nStatus ${errorMapping[code].status}. ${messages[code]}\n\n${advice[code]}\n`,
  );
  const reasons = Object.entries(reasonMessages).map(([code, message]) => `| \`${code}\` | ${message} |`);
  return [
    "## Codes\n",
    ...entries,
    "## Reasons\n",
    "The reasons of a refused or rejected submission. [KYC lifecycle](kyc.md#reasons) says which fields contain them.\n",
    "| Code | Message |",
    "| --- | --- |",
    ...reasons,
    "",
  ].join("\n");
}
