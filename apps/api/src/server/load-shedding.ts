import type { IncomingMessage, ServerResponse } from "node:http";
import { Failure } from "@cardbridge/domain";
import { renderError, styleOf } from "../errors/render.ts";
import { requestId } from "../observability/request-id.ts";
import { createConcurrencyLimiter } from "./concurrency-limiter.ts";
import { defaultHeaders } from "./default-headers.ts";
import { isReading } from "./methods.ts";
import { basePath, filesPath, isTrpc } from "./paths.ts";

/** Whether a request is admitted. It responds to refused requests. */
export type Admit = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;

interface Options {
  /** The maximum burst of concurrent requests, for reads and for writes each; a quarter of it for a constant load. */
  max: number;
  /** Receives the number of refused requests, at most once a second. */
  onFull(refused: number): void;
}

/** Health checks, and uploads, which have their own queue, are not limited here. */
const exempt = ["/health/", `${basePath}/files`, `${filesPath}/uploads/`];

const overloaded = new Failure("SERVICE_UNAVAILABLE", { retryAfterSeconds: 1 });

/**
 * Limits concurrent requests, separately for reads and writes. A request beyond the limit immediately gets 503, and is
 * neither read nor logged, because queueing would delay all others.
 */
export function createLoadShedding({ max, onFull }: Options): Admit {
  const reads = createConcurrencyLimiter(max);
  const writes = createConcurrencyLimiter(max);
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
    const limiter = isReading(method) ? reads : writes;
    const admitted = limiter.enter();
    if (admitted) outgoing.once("close", limiter.leave);
    else refuse(url.split("?", 1)[0] ?? "", method, outgoing);
    return admitted;
  };
}
