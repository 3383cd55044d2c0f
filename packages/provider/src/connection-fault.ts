import { errors } from "undici";
import type { Reason } from "./outcome.ts";

const unconnected: Readonly<Record<string, Reason>> = {
  ECONNREFUSED: "connection-refused",
  ENOTFOUND: "dns-failed",
  EAI_AGAIN: "dns-failed",
  UND_ERR_CONNECT_TIMEOUT: "connect-timeout",
  ETIMEDOUT: "connect-timeout",
  EPROTO: "tls-failed",
  UND_ERR_CLOSED: "client-closed",
  UND_ERR_DESTROYED: "client-closed",
};

/** Why a request never got a connection. */
export function reasonUnconnected(error: unknown): Reason {
  const code = codeOf(error);
  return unconnected[code] ?? (/TLS|SSL|CERT|SIGNATURE/.test(code) ? "tls-failed" : "connect-failed");
}

/** Why what came back over a connection is not a whole HTTP answer; undefined when the connection broke. */
export function reasonUnreadable(error: unknown, started: boolean): Reason | undefined {
  const code = codeOf(error);
  if (error instanceof errors.HTTPParserError || code === "UND_ERR_HEADERS_OVERFLOW") return "not-http";
  if (code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH") return "truncated";
  // The other side ended in good order: too early for an answer, but no reset.
  return started && code === "UND_ERR_SOCKET" ? "truncated" : undefined;
}

function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
