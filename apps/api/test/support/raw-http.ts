import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/** What came back over a raw socket, and how the socket ended. */
export interface RawAnswer {
  status: number;
  headers: string;
  body: string;
  /** True when the caller saw its connection break, whatever else it saw. */
  reset: boolean;
}

/** Writes bytes over a socket as they are and reads all that comes back. */
export function rawRequest(url: string, ...parts: (string | Buffer)[]): Promise<RawAnswer> {
  return pacedRequest(url, 0, ...parts);
}

/**
 * As `rawRequest`, from a caller on a slow line: a pause of so many milliseconds before every part. Like
 * many HTTP clients it looks at the answer only when it has sent all of the request.
 */
export function pacedRequest(url: string, pause: number, ...parts: (string | Buffer)[]): Promise<RawAnswer> {
  return converse(url, async (socket) => {
    socket.pause();
    for (const part of parts) {
      if (pause > 0) await delay(pause);
      socket.write(part);
    }
    socket.resume();
  });
}

/** Leaves a socket to the caller and reads all that comes back until the other side ends it. */
export function converse(url: string, say: (socket: Socket) => Promise<void> | void): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    const received: Buffer[] = [];
    let reset = false;
    socket.on("error", () => {
      reset = true;
    });
    socket.on("data", (chunk: Buffer) => received.push(chunk));
    socket.on("end", () => socket.end());
    socket.on("close", () => resolve(read(Buffer.concat(received).toString(), reset)));
    Promise.resolve(say(socket)).catch(reject);
  });
}

function read(text: string, reset: boolean): RawAnswer {
  const [headers = "", ...rest] = text.split("\r\n\r\n");
  return {
    status: Number(headers.split(" ")[1]),
    headers: headers.toLowerCase(),
    body: rest.join("\r\n\r\n"),
    reset,
  };
}
