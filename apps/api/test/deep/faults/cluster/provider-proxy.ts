import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Bytes } from "./http-bytes.ts";

/** What the proxy does with one call instead of forwarding it. */
export interface ProviderFault {
  /** Whether the provider receives the call. */
  effect: boolean;
  /** Runs before the provider receives the call. */
  before?: (() => unknown) | undefined;
  /** Runs after the provider's response, before the service receives it. */
  after?: (() => unknown) | undefined;
  /** The service receives the provider's response, none, or bytes that can quote the call. */
  answer: "pass" | "never" | Bytes | ((call: QuotedCall) => Bytes);
}

/** The parts of a call that a response can quote. */
export interface QuotedCall {
  url: string;
  reference: string;
  /** Empty where there is none. */
  body: string;
}

/** Faults of the first submissions (`put`) and look-ups (`ask`) of one applicant, or of lists. Later calls pass. */
export interface Plan {
  put?: ProviderFault[];
  ask?: ProviderFault[];
}

interface SeenCall {
  method: string;
  reference: string;
  /** The whole request: target, headers and body. */
  text: string;
}

export interface ProviderProxy {
  url: string;
  /** Every call that reached the proxy, in order. */
  seen: SeenCall[];
  /** Plans faults for an applicant's e-mail, for a reference, or for `cards`, whose calls count as `ask`. */
  plan(target: string, plan: Plan): void;
  /** Breaks every connection and refuses new ones until `up` is called. */
  down(): void;
  up(): void;
  /** Removes every planned fault. */
  clear(): void;
  close(): Promise<void>;
}

/** Starts an HTTP proxy between a service and the provider that makes planned calls fail. */
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
    seen.push({ method, reference, text });

    const fault = next(request, reference, body);
    await fault?.before?.();
    const answer = !fault || fault.effect ? await forward(request, body) : undefined;
    await fault?.after?.();
    if (!fault || fault.answer === "pass") return answer;
    const call = { url, reference, body: body.toString() };
    const answered = typeof fault.answer === "function" ? fault.answer(call) : fault.answer;
    if (answered !== "never") socket.end(answered.bytes);
    return undefined;
  }

  function next({ method, url = "" }: IncomingMessage, reference: string, body: Buffer) {
    // An answer to a document request is a PUT too.
    if (url.includes("/answers/")) return undefined;
    const isSubmission = method === "PUT";
    if (isSubmission) applicants.set(reference, JSON.parse(body.toString()).applicant.email);
    const plan = plans.get(reference || "cards") ?? plans.get(applicants.get(reference) ?? "");
    return isSubmission ? plan?.put?.shift() : plan?.ask?.shift();
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
    seen,
    plan: (target, plan) => plans.set(target, plan),
    down() {
      isDown = true;
      for (const socket of sockets) socket.destroy();
    },
    up() {
      isDown = false;
    },
    clear: () => plans.clear(),
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
