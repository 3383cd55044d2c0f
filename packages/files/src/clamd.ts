import { connect } from "node:net";
import { Failure } from "@cardbridge/domain";
import type { Scan } from "./file-inspector.ts";
import { refusal } from "./refusal.ts";

export interface ClamdOptions {
  /** `tcp://host:port` or `unix:/path`. */
  url: string;
  /** For one scan, from connecting to its answer. */
  timeoutMs: number;
}

const chunkBytes = 64 * 1024;
/** An answer is one short line. */
const maxAnswer = 1_000;

/**
 * Has files scanned by ClamAV's daemon. A file that nobody has called clean is not taken.
 * @throws TypeError for a url that is neither form; never quotes it.
 */
export function createClamdScan({ url, timeoutMs }: ClamdOptions): Scan {
  const address = addressOf(url);
  return async (bytes) => {
    const answer = await ask(address, bytes, timeoutMs).catch((cause) => {
      throw new Failure("SERVICE_UNAVAILABLE", { retryAfterSeconds: 5, cause });
    });
    if (/^stream: .+ FOUND$/.test(answer)) throw refusal("file-infected");
    if (answer !== "stream: OK") {
      throw new Failure("SERVICE_UNAVAILABLE", {
        retryAfterSeconds: 5,
        cause: new Error("clamd did not scan the file."),
      });
    }
  };
}

function addressOf(url: string): { path: string } | { host: string; port: number } {
  if (/^unix:\/./.test(url)) return { path: url.slice("unix:".length) };
  const { protocol, hostname, port } = URL.canParse(url) ? new URL(url) : new URL("none:");
  if (protocol !== "tcp:" || !hostname || !port) {
    throw new TypeError("The scanner's url must be tcp://host:port or unix:/path.");
  }
  return { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port) };
}

/** One INSTREAM session: chunks, each behind its length, and an empty one; then a line that ends with NUL. */
function ask(address: ReturnType<typeof addressOf>, bytes: Uint8Array, timeoutMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(address);
    const timer = setTimeout(() => socket.destroy(new Error("clamd did not answer in time.")), timeoutMs);

    socket.setEncoding("latin1");
    socket.on("data", (text) => {
      answer += text;
      const end = answer.indexOf("\0");
      if (end >= 0) resolve(answer.slice(0, end));
      if (end >= 0 || answer.length > maxAnswer) socket.destroy();
    });
    socket.on("error", reject);
    socket.on("close", () => {
      clearTimeout(timer);
      reject(new Error("clamd closed the connection without an answer."));
    });

    socket.write("zINSTREAM\0");
    for (let at = 0; at < bytes.length; at += chunkBytes) {
      const chunk = bytes.subarray(at, at + chunkBytes);
      socket.write(lengthOf(chunk));
      socket.write(chunk);
    }
    socket.write(lengthOf(new Uint8Array()));
  });
}

function lengthOf(chunk: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(chunk.length);
  return length;
}
