import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

/** The response over a raw socket, and the end of the socket. */
export interface RawAnswer {
  status: number;
  headers: string;
  body: string;
  /** True if the connection was reset. */
  reset: boolean;
}

/** Writes raw bytes to a socket, and reads the whole response. */
export function rawRequest(url: string, ...parts: (string | Buffer)[]): Promise<RawAnswer> {
  return pacedRequest(url, 0, ...parts);
}

/**
 * Like `rawRequest`, with a pause in milliseconds before every part. Like many HTTP clients, it reads the response only
 * after the whole request.
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

/** Lets `say` write to a socket, and reads until the server ends it. */
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
