import type { IncomingMessage, ServerResponse } from "node:http";
import { Failure } from "@cardbridge/domain";
import { filesPath } from "../file-downloads/file-urls.ts";
import { isReading } from "../middleware/refuse-cross-origin.ts";
import { defaultHeaders } from "./default-headers.ts";
import { requestId } from "../composition/ids.ts";
import { problemHeaders, toProblem } from "../errors/problem.ts";
import { basePath } from "../rest/routes.ts";
import { toErrorShape } from "../trpc/errors.ts";
import { isTrpc } from "../trpc/path.ts";
import { createCrowd } from "./concurrency-limiter.ts";

/** Says whether a request may come in; one that may not is answered by then. */
export type Admit = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;

interface Options {
  /** How many at once, of those that read and of those that change; where they stay so many, a quarter of it. */
  most: number;
  /** Hears how many were refused since it heard last, once a second at most. */
  onFull(refused: number): void;
}

/** Not counted: questions about the service's health, and uploads, which wait at a gate of their own. */
const uncounted = ["/health/", `${basePath}/files`, `${filesPath}/uploads/`];

const failure = new Failure("SERVICE_UNAVAILABLE", { retryAfterSeconds: 1 });
const problem = written("application/problem+json", (id) => toProblem(failure, id, "parameter"));
const trpcError = written("application/json", (id) => ({
  error: toErrorShape(failure, id, { type: "query" }),
}));

/**
 * Bounds how many requests a process works on at once, those that read and those that change apart. What comes
 * beyond that is refused right away with 503: waiting, it would only make all the others late. Nothing is read,
 * made or logged for it, since whatever a refusal costs is taken from those who were let in.
 */
export function limitConcurrency({ most, onFull }: Options): Admit {
  const reading = createCrowd(most);
  const changing = createCrowd(most);
  let refused = 0;

  function refuse(path: string, outgoing: ServerResponse): void {
    if (refused === 0) setTimeout(tell, 1_000).unref();
    refused += 1;
    const id = requestId();
    const { headers, before, after } = isTrpc(path) ? trpcError : problem;
    outgoing.writeHead(503, { ...headers, "x-request-id": id }).end(before + id + after);
  }
  function tell(): void {
    onFull(refused);
    refused = 0;
  }

  return ({ url = "", method = "" }, outgoing) => {
    if (uncounted.some((start) => url.startsWith(start))) return true;
    const crowd = isReading(method) ? reading : changing;
    const hasRoom = crowd.enter();
    if (hasRoom) outgoing.once("close", crowd.leave);
    else refuse(url.split("?", 1)[0] ?? "", outgoing);
    return hasRoom;
  };
}

/** An answer that is the same but for the request's id, written once. */
function written(contentType: string, body: (id: string) => object) {
  const id = requestId();
  const text = JSON.stringify(body(id));
  const [before = "", after = ""] = text.split(id);
  const length = String(Buffer.byteLength(text));
  const headers = { ...defaultHeaders, "content-type": contentType, "content-length": length };
  return { headers: { ...headers, ...problemHeaders(failure) }, before, after };
}
