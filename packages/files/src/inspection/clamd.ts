import { connect } from "node:net";
import { Failure, ReasonError } from "@cardbridge/domain";
import type { Scan } from "./file-inspector.ts";
import { fileViolation } from "./violation.ts";

export interface ClamdOptions {
  /** `tcp://host:port` or `unix:/path`. */
  url: string;
  /** The time limit of one scan, from the connection to the response. */
  timeoutMs: number;
}

const chunkBytes = 64 * 1024;
/** A response is one short line. */
const maxResponseLength = 1_000;

/**
 * Creates a scan by ClamAV's daemon. The scan rejects unless the result is clean.
 * @throws TypeError for a url in neither format. The message never quotes it.
 */
export function createClamdScan({ url, timeoutMs }: ClamdOptions): Scan {
  const address = addressOf(url);
  return async (bytes) => {
    const response = await scanStream(address, bytes, timeoutMs).catch((cause) => {
      throw new Failure("SERVICE_UNAVAILABLE", { retryAfterSeconds: 5, cause });
    });
    if (/^stream: .+ FOUND$/.test(response)) throw fileViolation("file-infected");
    if (response !== "stream: OK") {
      throw new Failure("SERVICE_UNAVAILABLE", {
        retryAfterSeconds: 5,
        cause: new ReasonError("not-scanned"),
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

/**
 * Runs one INSTREAM session: length-prefixed chunks, then an empty chunk. The response is a line that ends with NUL.
 */
function scanStream(
  address: ReturnType<typeof addressOf>,
  bytes: Uint8Array,
  timeoutMs: number,
): Promise<string> {
  return new Promise((resolve, reject) => {
    let response = "";
    const signal = AbortSignal.timeout(timeoutMs);
    const socket = connect({ ...address, signal });

    socket.setEncoding("latin1");
    socket.on("data", (text) => {
      response += text;
      const end = response.indexOf("\0");
      if (end >= 0) resolve(response.slice(0, end));
      if (end >= 0 || response.length > maxResponseLength) socket.destroy();
    });
    socket.on("error", (error) => reject(signal.aborted ? new ReasonError("timeout") : error));
    socket.on("close", () => reject(new ReasonError("no-response")));

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
