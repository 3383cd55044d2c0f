import type { IncomingMessage } from "node:http";
import { type ErrorCode, Failure } from "@cardbridge/domain";
import { maxDrainedBytes, maxDrainMillis } from "./limits.ts";
import { isReading } from "./methods.ts";

/** Whether a body was announced that nothing in the app would read. */
export function hasUselessBody({ method = "", headers }: IncomingMessage): boolean {
  const announced = headers["content-length"] ?? headers["transfer-encoding"] ?? "0";
  return announced !== "0" && isReading(method);
}

/**
 * Reads a body to nobody, within bounds: left unread it would reset the connection, and the answer be lost.
 * Returns what is wrong with the body, where it did not come to its end.
 */
export function discardBody(incoming: IncomingMessage): Promise<Failure | undefined> {
  return new Promise((resolve) => {
    let size = 0;
    const end = (code?: ErrorCode) => {
      clearTimeout(late);
      incoming.off("data", count);
      resolve(code && !incoming.complete ? new Failure(code) : undefined);
    };
    const late = setTimeout(() => end("REQUEST_TIMEOUT"), maxDrainMillis);
    const count = (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxDrainedBytes) end("PAYLOAD_TOO_LARGE");
    };
    // Resumed as well: whoever found it too large has paused it.
    incoming
      .on("data", count)
      .once("end", () => end())
      .resume();
    incoming.once("close", () => end("MALFORMED_REQUEST"));
  });
}
