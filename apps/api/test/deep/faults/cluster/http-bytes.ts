/** The bytes that a faulty provider sends. */
export interface Bytes {
  bytes: string | Buffer;
  /** The wait before each byte, in milliseconds. Without it all bytes are sent at once. */
  everyMs?: number;
}

/** The bytes of an HTTP response; `length` replaces the true Content-Length. */
export function http(
  status: number,
  body: string,
  headers: Record<string, string> = {},
  length?: number,
): Bytes {
  const all = {
    "content-type": "application/json",
    "content-length": length ?? Buffer.byteLength(body),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return { bytes: `HTTP/1.1 ${status} Fault\r\n${lines.join("")}\r\n${body}` };
}
