import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";

/** What is done with one call in place of passing it on. */
export interface ProviderFault {
  /** Whether the provider gets the call all the same. */
  effect: boolean;
  /** Runs before anything else, such as a kill; and what runs between the effect and the answer. */
  meanwhile?: (() => unknown) | undefined;
  afterwards?: (() => unknown) | undefined;
  /** The service gets the provider's answer, none at all, a broken connection, or bytes, which may quote the call. */
  answer: "pass" | "never" | "reset" | Bytes | ((call: QuotedCall) => Bytes);
}

/** What an answer can quote of the call. */
export interface QuotedCall {
  url: string;
  reference: string;
  /** Empty where there is none. */
  body: string;
}

interface Bytes {
  bytes: string | Buffer;
  /** The wait before each single byte, in milliseconds; all at once without it. */
  everyMs?: number;
}

/** Faults for the first submissions and questions of one applicant, or for lists; later ones pass. */
export interface Plan {
  put?: ProviderFault[];
  ask?: ProviderFault[];
}

export interface SeenCall {
  method: string;
  reference: string;
  /** Everything that the provider was sent: target, headers and body. */
  text: string;
  at: number;
}

export interface ProviderProxy {
  url: string;
  port: number;
  /** Every call that arrived here, in order. */
  seen: SeenCall[];
  /** Plans faults for an applicant, by the e-mail, for a reference, or for `cards`, whose calls are asked. */
  plan(whom: string, plan: Plan): void;
  /** Breaks every connection, and every new one at once, until it is up again. */
  down(): void;
  up(): void;
  /** Whatever was planned passes from now on. */
  heal(): void;
  close(): Promise<void>;
}

/** Stands between the service and a provider, and does to its calls what a network and a bad day do. */
export async function startProviderProxy(target: string): Promise<ProviderProxy> {
  const plans = new Map<string, Plan>();
  const applicants = new Map<string, string>();
  const seen: SeenCall[] = [];
  const sockets = new Set<Socket>();
  let isDown = false;

  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    handle(request, request.socket).then(
      (answer) => {
        if (!answer) return;
        response.writeHead(answer.status, answer.headers);
        response.end(answer.body);
      },
      () => request.socket.destroy(),
    );
  });
  server.on("connection", (socket) => {
    if (isDown) return socket.destroy();
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });

  async function handle(request: IncomingMessage, socket: Socket) {
    const { method = "", url = "" } = request;
    const body = Buffer.concat(await request.toArray());
    const reference = /^\/v1\/kyc\/([^/?]+)/.exec(url)?.[1] ?? "";
    const text = `${method} ${url}\n${request.rawHeaders.join("\n")}\n${body}`;
    seen.push({ method, reference, text, at: Date.now() });

    const fault = next(method, reference, body);
    await fault?.meanwhile?.();
    const answer = !fault || fault.effect ? await forward(request, body) : undefined;
    await fault?.afterwards?.();
    if (!fault || fault.answer === "pass") return answer;
    if (fault.answer === "reset") socket.resetAndDestroy();
    const call = { url, reference, body: body.toString() };
    const bytes = typeof fault.answer === "function" ? fault.answer(call) : fault.answer;
    if (typeof bytes !== "string") await write(socket, bytes);
    return undefined;
  }

  function next(method: string, reference: string, body: Buffer): ProviderFault | undefined {
    if (method === "PUT") applicants.set(reference, JSON.parse(body.toString()).applicant.email);
    const plan = plans.get(reference || "cards") ?? plans.get(applicants.get(reference) ?? "");
    return method === "PUT" ? plan?.put?.shift() : plan?.ask?.shift();
  }

  async function forward(request: IncomingMessage, body: Buffer) {
    const { "x-client-id": id, "x-timestamp": timestamp, "x-signature": signature } = request.headers;
    const answer = await fetch(`${target}${request.url}`, {
      method: request.method ?? "GET",
      headers: {
        "content-type": "application/json",
        "x-client-id": String(id),
        "x-timestamp": String(timestamp),
        "x-signature": String(signature),
      },
      ...(body.length > 0 ? { body } : {}),
    });
    const headers = { "content-type": answer.headers.get("content-type") ?? "" };
    return { status: answer.status, headers, body: Buffer.from(await answer.arrayBuffer()) };
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    seen,
    plan: (whom, plan) => plans.set(whom, plan),
    down() {
      isDown = true;
      for (const socket of sockets) socket.destroy();
    },
    up() {
      isDown = false;
    },
    heal: () => plans.clear(),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

async function write(socket: Socket, { bytes, everyMs }: Bytes): Promise<void> {
  if (everyMs === undefined) {
    socket.end(bytes);
    return;
  }
  for (const byte of Buffer.from(bytes)) {
    if (socket.destroyed) return;
    socket.write(Buffer.of(byte));
    await wait(everyMs);
  }
}

/** The bytes of an HTTP answer, with the length that it says unless `length` says another. */
export function http(status: number, body: string, headers: Record<string, string> = {}, length?: number) {
  const all = {
    "content-type": "application/json",
    "content-length": length ?? Buffer.byteLength(body),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return { bytes: `HTTP/1.1 ${status} Fault\r\n${lines.join("")}\r\n${body}` };
}
