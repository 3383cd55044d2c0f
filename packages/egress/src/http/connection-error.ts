import { errorCode } from "@cardbridge/domain";
import { errors } from "undici";

/** Why a request got no connection. */
export type ConnectReason =
  | "address-refused"
  | "connection-refused"
  | "dns-failed"
  | "connect-timeout"
  | "tls-failed"
  | "connect-failed"
  | "client-closed";

/** Why the received bytes are not a complete, unencoded HTTP response. */
export type ResponseReason = "not-http" | "truncated" | "too-large" | "encoded";

const connectReasons: Readonly<Record<string, ConnectReason>> = {
  ERR_ADDRESS_REFUSED: "address-refused",
  ECONNREFUSED: "connection-refused",
  ENOTFOUND: "dns-failed",
  EAI_AGAIN: "dns-failed",
  UND_ERR_CONNECT_TIMEOUT: "connect-timeout",
  ETIMEDOUT: "connect-timeout",
  EPROTO: "tls-failed",
  UND_ERR_CLOSED: "client-closed",
  UND_ERR_DESTROYED: "client-closed",
};

export function connectReason(error: unknown): ConnectReason {
  const code = codeOf(error);
  return connectReasons[code] ?? (/TLS|SSL|CERT|SIGNATURE/.test(code) ? "tls-failed" : "connect-failed");
}

/**
 * Why the received bytes are not a complete HTTP response; undefined if the connection broke.
 *
 * @param started whether the head of the response was received
 */
export function responseReason(error: unknown, started: boolean): "not-http" | "truncated" | undefined {
  const code = codeOf(error);
  if (error instanceof errors.HTTPParserError || code === "UND_ERR_HEADERS_OVERFLOW") return "not-http";
  if (code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH") return "truncated";
  // The server closed the connection without a reset, before the end of its response.
  return started && code === "UND_ERR_SOCKET" ? "truncated" : undefined;
}

function codeOf(error: unknown): string {
  // An AggregateError contains one error for each address of the name.
  return errorCode(error instanceof AggregateError ? error.errors[0] : error);
}
