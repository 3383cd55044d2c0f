import type { IncomingMessage } from "node:http";
import { maxDrainedBytes, maxDrainMillis } from "./limits.ts";

/** Whether a body was announced that nothing in the app would read. */
export function hasUselessBody({ method, headers }: IncomingMessage): boolean {
  const announced = headers["content-length"] ?? headers["transfer-encoding"] ?? "0";
  return announced !== "0" && (method === "GET" || method === "HEAD");
}

/**
 * Reads a body to nobody, within bounds, and tells whether it came to its end. Left unread it would reset the
 * connection, and the answer be lost.
 */
export function discardBody(incoming: IncomingMessage): Promise<boolean> {
  return new Promise((resolve) => {
    let size = 0;
    const end = () => {
      clearTimeout(enough);
      incoming.off("data", count);
      resolve(incoming.complete);
    };
    const enough = setTimeout(end, maxDrainMillis);
    const count = (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxDrainedBytes) end();
    };
    incoming.on("data", count).once("end", end).once("close", end);
  });
}
