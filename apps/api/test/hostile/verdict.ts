import type { AuditOutcome, ErrorCode } from "@cardbridge/domain";
import { errorMapping } from "../../src/errors/mapping.ts";
import type { Binding } from "./calls.ts";

/** In which order a call is looked at: the first that is wrong is what it is answered with. */
const stages = ["head", "route", "key", "procedure", "reading", "scope", "input", "run"] as const;

/** How a call ends for something that is wrong with it; undefined where nothing is. */
export type Verdict = { stage: (typeof stages)[number]; code: ErrorCode } | undefined;

/** What comes first of what is wrong with the caller and with the call. */
export function firstOf(...verdicts: Verdict[]): Verdict {
  const wrong = verdicts.flatMap((verdict) => verdict ?? []);
  return wrong.sort((a, b) => stages.indexOf(a.stage) - stages.indexOf(b.stage))[0];
}

export function wordsOf(verdict: Verdict): string {
  return verdict ? `${errorMapping[verdict.code].status} ${verdict.code}` : "success";
}

/** How many entries the audit gets for a call that is refused. */
export function entriesOf(verdict: NonNullable<Verdict>, { operation: { audit } }: Binding): number {
  const isReached = stages.indexOf(verdict.stage) >= stages.indexOf("scope");
  return isReached && audit.includes(verdict.code satisfies AuditOutcome) ? 1 : 0;
}

/** The first of an operation's codes that travels as 404. */
export function notFound({ operation }: Binding): ErrorCode | undefined {
  return operation.errors.find((code) => errorMapping[code].status === 404);
}
