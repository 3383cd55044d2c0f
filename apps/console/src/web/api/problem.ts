import type { Problem } from "@cardbridge/trpc-client";
import { shared } from "../lib/words.ts";

/** An error as a view shows it. */
export interface ShownError {
  kind:
    | "signed-out"
    | "refused"
    | "not-found"
    | "conflict"
    | "limited"
    | "invalid"
    | "unavailable"
    | "paused"
    | "offline"
    | "unexpected";
  /** What the service says about it, for people; empty without an answer. */
  message: string;
  requestId: string | undefined;
  code: string | undefined;
  /** The rule that the first violation names, such as `changed`. */
  rule?: string | undefined;
}

const kinds: Record<string, ShownError["kind"]> = {
  SIGN_IN_REQUIRED: "signed-out",
  PERSON_REQUIRED: "signed-out",
  PERSON_INVALID: "refused",
  SIGN_IN_TOO_OLD: "signed-out",
  PERSON_BLOCKED: "refused",
  SCOPE_MISSING: "refused",
  PLATFORM_FORBIDDEN: "refused",
  CROSS_ORIGIN: "refused",
  REQUEST_REFUSED: "refused",
  PROCEDURE_NOT_ALLOWED: "refused",
  ROLE_MISSING: "refused",
  KYC_RECORD_NOT_FOUND: "not-found",
  USER_NOT_FOUND: "not-found",
  PLATFORM_NOT_FOUND: "not-found",
  KEY_NOT_FOUND: "not-found",
  PERSON_NOT_FOUND: "not-found",
  PAUSE_NOT_FOUND: "not-found",
  WEBHOOK_ENDPOINT_NOT_FOUND: "not-found",
  WEBHOOK_DELIVERY_NOT_FOUND: "not-found",
  KYC_RECORD_CONFLICT: "conflict",
  KEY_CONFLICT: "conflict",
  PAUSE_CONFLICT: "conflict",
  WEBHOOK_ENDPOINT_LIMIT: "conflict",
  WEBHOOK_REDELIVERY_LIMIT: "conflict",
  PROVIDER_PAUSED: "paused",
  PLATFORM_PAUSED: "paused",
  RATE_LIMITED: "limited",
  INVALID_INPUT: "invalid",
  SERVICE_UNAVAILABLE: "unavailable",
  OUTCOME_UNKNOWN: "unavailable",
  REQUEST_TIMEOUT: "unavailable",
  PROVIDER_UNAVAILABLE: "unavailable",
  PROVIDER_TIMEOUT: "unavailable",
  PROVIDER_ANSWER_INVALID: "unavailable",
  CARD_LIST_TOO_LONG: "unavailable",
  PROPOSAL_NOT_FOUND: "not-found",
  HOLD_NOT_FOUND: "not-found",
  FILE_NOT_FOUND: "not-found",
  PROPOSAL_CONFLICT: "conflict",
  EVIDENCE_CLOSED: "conflict",
  USER_IDENTITY_CONFLICT: "conflict",
  USER_ERASURE_PENDING: "conflict",
};

/** Why the service refuses a token that a new sign-in replaces. Another one would be refused again. */
const replaceable = ["token-expired", "token-age"];

/** Classifies an error of a call. Without a problem of the service, the status or the lack of one decides. */
export function shownError(error: unknown): ShownError {
  const data = field(error, "data");
  const problem = field(data, "problem") as Problem | undefined;
  if (problem?.code) {
    const first = problem.errors[0];
    const message = first && problem.errors.length === 1 ? first.message : problem.message;
    const isOld = problem.code === "PERSON_INVALID" && replaceable.includes(first?.rule ?? "");
    return {
      kind: isOld ? "signed-out" : (kinds[problem.code] ?? "unexpected"),
      message,
      requestId: problem.requestId,
      code: problem.code,
      rule: first?.rule,
    };
  }
  const status = field(data, "httpStatus") ?? field(field(field(error, "meta"), "response"), "status");
  const bare = { message: "", requestId: undefined, code: undefined };
  if (status === 401) return { ...bare, kind: "signed-out" };
  if (status === 403) return { ...bare, kind: "refused" };
  if (typeof status === "number") return { ...bare, kind: status >= 502 ? "unavailable" : "unexpected" };
  return { ...bare, kind: "offline" };
}

const uncertain = new Set<ShownError["kind"]>(["unexpected", "offline", "unavailable"]);

/** Whether an act that failed may have taken effect, as a sentence. One that only reads has none. */
export function effectOf(error: unknown, reads = false): string {
  const { kind, code } = shownError(error);
  const { lost } = shared.errors;
  if (code === "PROVIDER_PAUSED") return lost.unsent;
  return uncertain.has(kind) && !reads ? lost.uncertain : lost.nothing;
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
