import type { IncomingMessage, ServerResponse } from "node:http";
import type { Failure } from "@cardbridge/domain";
import { renderError } from "../errors/render.ts";
import { requestId } from "../log/request-id.ts";
import { pathOf } from "../paths.ts";
import { discardBody } from "./discard-body.ts";
import { maxBodyBytes } from "./limits.ts";

/**
 * Responds to a request that the gates rejected from its head. Logs nothing, because there can be thousands a second.
 *
 * @param further headers
 */
export function respondByHead(
  outgoing: ServerResponse,
  failure: Failure,
  further: Record<string, string>,
): void {
  const { method = "", url = "" } = outgoing.req;
  const { status, headers, body } = renderError(failure, {
    requestId: requestId(),
    method,
    path: pathOf(url),
    headers: further,
  });
  const isLarge = announcesMoreThan(outgoing.req, maxBodyBytes);
  const connection = isLarge ? { connection: "close" } : {};
  outgoing.writeHead(status, { ...headers, ...connection, "content-length": Buffer.byteLength(body) });
  // Node reads the rest of a small body before the connection's next request.
  if (!isLarge) return void outgoing.end(body);
  outgoing.write(body);
  void discardBody(outgoing.req).then(() => outgoing.end());
}

/** Whether a request announces a body of more than `bytes`, or of an unknown length. */
function announcesMoreThan({ headers }: IncomingMessage, bytes: number): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > bytes;
}
