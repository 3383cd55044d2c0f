import { unifiedStatus } from "./status.ts";

const lost = "the connection to the provider failed";
const unreadable = "the provider's answer could not be read";
const fileUnread = "a file of the submission could not be read";

/** Why an attempt has no answer, for each reason that is no status of HTTP. */
const reasons: Readonly<Record<string, string>> = {
  deadline: "the provider did not answer in time",
  timeout: "the provider did not answer in time",
  "connect-timeout": "the provider did not answer in time",
  "breaker-open": "the provider cannot be reached",
  "address-refused": lost,
  "connection-lost": lost,
  "connection-refused": lost,
  "connect-failed": lost,
  "dns-failed": lost,
  "tls-failed": lost,
  "url-refused": lost,
  "not-http": unreadable,
  "not-json": unreadable,
  "not-utf8": unreadable,
  "too-large": unreadable,
  "wrong-page": unreadable,
  "wrong-shape": unreadable,
  encoded: unreadable,
  truncated: unreadable,
  mismatched: "the provider answered about another submission",
  "external-file": fileUnread,
  "file-not-found": fileUnread,
  aborted: "the service stopped during the attempt",
  "client-closed": "the service stopped during the attempt",
  "attempt-superseded": "another attempt took over",
  delayed: "the service was delayed, and sent nothing",
  "not-stored": "the service could not store a step",
  internal: "the service had an error",
};

/** Why an attempt has no answer, without a code; null if the reason says nothing that a person understands. */
export function failureWords(reason: string | null): string | null {
  const status = /^status-(\d{3})/.exec(reason ?? "")?.[1];
  if (status === undefined) return (Object.hasOwn(reasons, reason ?? "") && reasons[reason ?? ""]) || null;
  if (status === "401" || status === "403") return "the provider refused the service's credentials";
  if (status === "429") return "the provider limits the service's calls";
  if (status === "503") return "the provider is overloaded";
  if (status.startsWith("5")) return "the provider had an error";
  return "the provider returned an error that the service does not know";
}

/** The outcome of an attempt, in words that continue a sentence. */
export function attemptWords({ outcome, reason }: { outcome: string; reason: string | null }): string {
  if (outcome === "answered") return "the provider answered";
  if (outcome === "refused") return "the provider refused the submission";
  if (outcome === "not-found") return "the provider does not know the submission";
  return (
    failureWords(reason) ?? (outcome === "unsent" ? "nothing could be sent" : "the outcome is not known")
  );
}

const decisions = {
  APPROVED: "the provider approved it",
  REJECTED: "the provider rejected it",
  PENDING_APPROVAL: "the provider reviews it",
  PENDING: "the provider has it, and it is not complete",
} as const;

/** What of a reply its words follow from. */
type Worded =
  | { outcome: "answered"; subStatus: string }
  | { outcome: "refused" | "not-found" | "unknown" | "unsent"; reason?: string };

/** The provider's reply, in words that continue a sentence. */
export function replyWords(reply: Worded): string {
  if (reply.outcome !== "answered") return attemptWords({ reason: null, ...reply });
  const status = unifiedStatus(reply);
  return status ? decisions[status] : `the provider says “${reply.subStatus}”`;
}
