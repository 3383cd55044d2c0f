import type { IncomingMessage } from "node:http";
import { type ErrorCode, Failure } from "@cardbridge/domain";
import { isReading } from "../../admission/head.ts";
import { maxDrainedBytes, maxDrainMs } from "../../config/limits.ts";

/** Whether the request has a body that the app will not read. */
export function hasUnreadBody({ method = "", headers }: IncomingMessage): boolean {
  const announced = headers["content-length"] ?? headers["transfer-encoding"] ?? "0";
  return announced !== "0" && isReading(method);
}

/**
 * Reads and discards a body, within limits. An unread body would reset the connection, and the caller would lose the
 * response. Returns a failure if the body did not end.
 */
export function discardBody(incoming: IncomingMessage): Promise<Failure | undefined> {
  return new Promise((resolve) => {
    let size = 0;
    const end = (code?: ErrorCode) => {
      clearTimeout(timeout);
      incoming.off("data", count);
      resolve(code && !incoming.complete ? new Failure(code) : undefined);
    };
    const timeout = setTimeout(() => end("REQUEST_TIMEOUT"), maxDrainMs);
    const count = (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxDrainedBytes) end("PAYLOAD_TOO_LARGE");
    };
    // Resume it, because a reader that found it too large has paused it.
    incoming
      .on("data", count)
      .once("end", () => end())
      .resume();
    incoming.once("close", () => end("MALFORMED_REQUEST"));
  });
}
