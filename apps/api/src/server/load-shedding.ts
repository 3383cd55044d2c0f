import type { IncomingMessage, ServerResponse } from "node:http";
import { Failure } from "@cardbridge/domain";
import { renderError, styleOf } from "../errors/render.ts";
import { requestId } from "../observability/request-id.ts";
import { createConcurrencyLimiter } from "./concurrency-limiter.ts";
import { defaultHeaders } from "./default-headers.ts";
import { isReading } from "./methods.ts";
import { basePath, filesPath, isTrpc } from "./paths.ts";

/** Says whether a request is admitted; it answers a request that is not. */
export type Admit = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;

interface Options {
  /** How many requests at once, of those that read and of those that change; a quarter of it where they stay. */
  max: number;
  /** Receives the number of refused requests, once a second at most. */
  onFull(refused: number): void;
}

/** Not limited here: health checks, and uploads, which have a queue of their own. */
const exempt = ["/health/", `${basePath}/files`, `${filesPath}/uploads/`];

const overloaded = new Failure("SERVICE_UNAVAILABLE", { retryAfterSeconds: 1 });

/**
 * Limits how many requests a process works on at once, those that read and those that change apart. A request
 * beyond the limit gets 503 at once, and nothing of it is read or logged: waiting would delay every other one.
 */
export function createLoadShedding({ max, onFull }: Options): Admit {
  const reading = createConcurrencyLimiter(max);
  const changing = createConcurrencyLimiter(max);
  let refused = 0;

  function refuse(path: string, method: string, outgoing: ServerResponse): void {
    if (refused === 0) setTimeout(report, 1_000).unref();
    refused += 1;
    const { status, headers, body } = renderError(overloaded, {
      requestId: requestId(),
      style: styleOf(method),
      format: isTrpc(path) ? "trpc" : "problem",
      headers: { ...defaultHeaders },
    });
    outgoing.writeHead(status, { ...headers, "content-length": Buffer.byteLength(body) }).end(body);
  }
  function report(): void {
    onFull(refused);
    refused = 0;
  }

  return ({ url = "", method = "" }, outgoing) => {
    if (exempt.some((start) => url.startsWith(start))) return true;
    const limiter = isReading(method) ? reading : changing;
    const admitted = limiter.enter();
    if (admitted) outgoing.once("close", limiter.leave);
    else refuse(url.split("?", 1)[0] ?? "", method, outgoing);
    return admitted;
  };
}
