import type { Problem } from "@cardbridge/trpc-client";

/** What a failed act did. */
export const words = {
  nothing: "Nothing was changed.",
  uncertain: "It is not certain whether it took effect. Look before you repeat it.",
  unsent: "Nothing was sent.",
} as const;

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

/** The codes whose status, which the service's catalogue gives them, does not say what a view shows. */
const exceptions: Partial<Record<Problem["code"], ShownError["kind"]>> = {
  INVALID_INPUT: "invalid",
  // The console's server and not the person is at fault.
  UNAUTHENTICATED: "unexpected",
  ROUTE_NOT_FOUND: "unexpected",
  PERSON_INVALID: "refused",
  PROVIDER_PAUSED: "paused",
  PLATFORM_PAUSED: "paused",
  WEBHOOK_REDELIVERY_LIMIT: "conflict",
};

const kindOfStatus: Record<number, ShownError["kind"]> = {
  401: "signed-out",
  403: "refused",
  404: "not-found",
  408: "unavailable",
  409: "conflict",
  429: "limited",
  502: "unavailable",
  503: "unavailable",
  504: "unavailable",
};

/** Why the service refuses a token that a new sign-in replaces. Another one would be refused again. */
const replaceable = ["token-expired", "token-age"];

/** Classifies an error of a call. Without a problem of the service, the status or the lack of one decides. */
export function shownError(error: unknown): ShownError {
  const data = field(error, "data");
  const problem = field(data, "problem") as Problem | undefined;
  const status = field(data, "httpStatus") ?? field(field(field(error, "meta"), "response"), "status");
  if (problem?.code) {
    const first = problem.errors[0];
    const message = first && problem.errors.length === 1 ? first.message : problem.message;
    const isOld = problem.code === "PERSON_INVALID" && replaceable.includes(first?.rule ?? "");
    return {
      kind: isOld ? "signed-out" : (exceptions[problem.code] ?? kindOfStatus[Number(status)] ?? "unexpected"),
      message,
      requestId: problem.requestId,
      code: problem.code,
      rule: first?.rule,
    };
  }
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
  if (code === "PROVIDER_PAUSED") return words.unsent;
  return uncertain.has(kind) && !reads ? words.uncertain : words.nothing;
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
