import type { AuditOutcome, ErrorCode } from "@cardbridge/domain";
import { errorMapping } from "../../src/http/errors/mapping.ts";
import type { Binding } from "./calls.ts";

/** The order of the checks. The first failed check decides the response. */
const stages = ["head", "route", "key", "procedure", "reading", "scope", "input", "run"] as const;

/** The error of a defective call; undefined for a valid one. */
export type Verdict = { stage: (typeof stages)[number]; code: ErrorCode } | undefined;

/** The first error of the caller and the call, in the order of the checks. */
export function firstOf(...verdicts: Verdict[]): Verdict {
  const wrong = verdicts.flatMap((verdict) => verdict ?? []);
  return wrong.sort((a, b) => stages.indexOf(a.stage) - stages.indexOf(b.stage))[0];
}

export function wordsOf(verdict: Verdict): string {
  return verdict ? `${errorMapping[verdict.code].status} ${verdict.code}` : "success";
}

/** The number of audit entries for a refused call. */
export function entriesOf(verdict: NonNullable<Verdict>, { operation: { audit } }: Binding): number {
  const isReached = stages.indexOf(verdict.stage) >= stages.indexOf("scope");
  return isReached && audit.includes(verdict.code satisfies AuditOutcome) ? 1 : 0;
}

/** The first error code of an operation with the status 404. */
export function notFound({ operation }: Binding): ErrorCode | undefined {
  return operation.errors.find((code) => errorMapping[code].status === 404);
}
