/** The bytes that a faulty provider sends. */
export interface Bytes {
  bytes: string;
}

/** The bytes of an HTTP response. */
export function http(status: number, body: string, headers: Record<string, string> = {}): Bytes {
  const all = { "content-type": "application/json", "content-length": Buffer.byteLength(body), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return { bytes: `HTTP/1.1 ${status} Fault\r\n${lines.join("")}\r\n${body}` };
}
