/** A request before its serialization. Every part can be invalid. */
export interface Message {
  /** The operation of the original request. */
  operation: string;
  method: string;
  target: string;
  version: string;
  headers: (readonly [name: string, value: string])[];
  body: Buffer;
  /** Whether it has a live key. */
  hasKey: boolean;
  /** Whether its framing is valid, so that the caller can wait for the response. */
  isWhole: boolean;
  /** The number of parts in which it is sent. */
  pieces: number;
  /** Bytes that replace its own, by position. */
  damage: readonly (readonly [place: number, bytes: Uint8Array])[];
}

export type Mutation = (message: Message) => Message;

/** A valid request, to the host `a`. */
export function wholeMessage({
  headers,
  ...given
}: Pick<Message, "operation" | "method" | "target" | "headers" | "body" | "hasKey">): Message {
  return {
    ...given,
    version: "HTTP/1.1",
    headers: [["Host", "a"], ["Connection", "close"], ...headers],
    isWhole: true,
    pieces: 1,
    damage: [],
  };
}

/** Removes headers by name. */
export function without(message: Message, ...names: string[]): Message {
  const gone = new Set(names.map((name) => name.toLowerCase()));
  return { ...message, headers: message.headers.filter(([name]) => !gone.has(name.toLowerCase())) };
}

/** Adds headers. A line break in a value can end the head. */
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
