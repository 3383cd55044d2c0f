/** One request as it goes over the wire, before it is bytes: everything in it may be wrong. */
export interface Message {
  /** The operation that it began as. */
  operation: string;
  method: string;
  target: string;
  version: string;
  headers: (readonly [name: string, value: string])[];
  body: Buffer;
  /** Whether it carries a live key. */
  hasKey: boolean;
  /** Whether it says truly where it ends, so that its answer can be waited for. */
  isWhole: boolean;
  /** In how many pieces it is sent. */
  pieces: number;
  /** Bytes that are put over its own, each at a place. */
  damage: readonly (readonly [place: number, bytes: Uint8Array])[];
}

export type Mutation = (message: Message) => Message;

/** The message without the headers of these names. */
export function without(message: Message, ...names: string[]): Message {
  const gone = new Set(names.map((name) => name.toLowerCase()));
  return { ...message, headers: message.headers.filter(([name]) => !gone.has(name.toLowerCase())) };
}

/** The message with further headers; a line break in one of them may end more than the line. */
export function withHeaders(message: Message, ...headers: [string, string][]): Message {
  const breaks = headers.some((header) => /[\r\n]/.test(header.join()));
  return { ...message, headers: [...message.headers, ...headers], isWhole: message.isWhole && !breaks };
}

export function toBytes({ method, target, version, headers, body, damage }: Message): Buffer {
  const framed = headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name));
  const length =
    !framed && (body.length > 0 || method === "POST") ? [["content-length", String(body.length)]] : [];
  const lines = [...headers, ...length].map(([name, value]) => `${name}: ${value}`);
  const head = Buffer.from([`${method} ${target} ${version}`, ...lines, "", ""].join("\r\n"));
  return damage.reduce(
    (bytes, [place, part]) => {
      const at = place % bytes.length;
      return Buffer.concat([bytes.subarray(0, at), part, bytes.subarray(at + part.length)]);
    },
    Buffer.concat([head, body]),
  );
}
