import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { type Message, toBytes } from "./message.ts";

/** A raw response. An exchange has one or more, in order. */
export interface WireAnswer {
  status: number;
  headers: Map<string, string>;
  body: string;
}

/** How long a caller with an incomplete request waits before it disconnects. */
const patienceMs = 15;

/** Sends a message over a new socket, and reads until the server ends it. */
export const exchange = async (url: string, message: Message): Promise<WireAnswer[]> =>
  readAnswers(await converse(url, message));

function converse(url: string, message: Message): Promise<Buffer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ port: Number(port), host: hostname, noDelay: true, allowHalfOpen: true });
    const received: Buffer[] = [];
    socket.on("data", (chunk: Buffer) => received.push(chunk));
    socket.on("end", () => socket.end());
    // A reset is a valid refusal. The responses before it are checked.
    socket.on("error", () => {});
    socket.on("close", () => resolve(Buffer.concat(received)));
    send().catch(reject);

    async function send(): Promise<void> {
      const bytes = toBytes(message);
      const size = Math.ceil(bytes.length / message.pieces);
      for (let start = 0; start < bytes.length && !socket.destroyed; start += size) {
        if (start > 0) await delay(2);
        socket.write(bytes.subarray(start, start + size));
      }
      if (message.isWhole) return;
      await delay(patienceMs);
      socket.end();
    }
  });
}

function readAnswers(bytes: Buffer): WireAnswer[] {
  const answers: WireAnswer[] = [];
  let rest = bytes;
  while (rest.length > 0) {
    const end = rest.indexOf("\r\n\r\n");
    if (end < 0) throw new Error("a response is truncated in its head");
    const [first = "", ...lines] = rest.subarray(0, end).toString("latin1").split("\r\n");
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]);
    if (!status) throw new Error(`no status line: ${first.slice(0, 80)}`);
    const headers = new Map(lines.map(readHeader));
    rest = rest.subarray(end + 4);
    const { body, length } = readBody(status, headers, rest);
    if (rest.length < length) throw new Error(`a response of ${status} is truncated in its body`);
    if (status >= 200) answers.push({ status, headers, body: body.toString() });
    rest = rest.subarray(length);
  }
  return answers;
}

function readHeader(line: string): [string, string] {
  const colon = line.indexOf(":");
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 2)];
}

/** A response to HEAD has no body, unless the request was rejected before its method was parsed. */
function readBody(
  status: number,
  headers: Map<string, string>,
  rest: Buffer,
): { body: Buffer; length: number } {
  const next = rest.subarray(0, 5).toString();
  if (status < 200 || next === "" || next === "HTTP/") return { body: Buffer.alloc(0), length: 0 };
  if (headers.has("transfer-encoding")) return readChunks(rest);
  const length = Number(headers.get("content-length") ?? 0);
  return { body: rest.subarray(0, length), length };
}

/** Parses a chunked body: a streamed or an empty one. */
function readChunks(rest: Buffer): { body: Buffer; length: number } {
  const chunks: Buffer[] = [];
  let at = 0;
  for (;;) {
    const line = rest.indexOf("\r\n", at);
    const size = Number.parseInt(rest.subarray(at, line).toString(), 16);
    if (line < 0 || Number.isNaN(size)) throw new Error("a response is truncated in its chunks");
    at = line + 2 + size + 2;
    if (size === 0) return { body: Buffer.concat(chunks), length: at };
    chunks.push(rest.subarray(line + 2, line + 2 + size));
  }
}
