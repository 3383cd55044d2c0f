import { type Dispatcher, errors } from "undici";
import {
  type ConnectReason,
  connectReason,
  type ResponseReason,
  responseReason,
} from "./connection-error.ts";

type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler["onResponseStart"]>>[2];

/** The maximum number of interim responses. They have no body, so the limit of the body does not apply to them. */
const maxInterim = 100;

export interface ExchangeOptions {
  /** The maximum number of bytes read from the body. */
  maxResponseBytes: number;
  /** Whether the complete body is required. A body whose declared length exceeds the limit is then not read. */
  whole?: boolean;
  /** Aborts the exchange. After that, the request is never passed to a connection. */
  signal: AbortSignal;
  /** Called right before the request is passed to a connection. */
  onSend?(): void;
}

/** A response, with its body up to the limit. */
export interface HttpResponse {
  kind: "response";
  status: number;
  /** The raw header; undefined when absent or repeated. */
  retryAfter: string | undefined;
  /** The Date header: the server's clock. */
  date?: string | undefined;
  contentType: string | undefined;
  bytes: Buffer;
  /** Why the body is incomplete or encoded. */
  broken?: ResponseReason;
}

/** Why there is no response. The set of values is fixed, and none contains a part of a URL or a response. */
export type FailureReason =
  | "url-refused"
  | ConnectReason
  | ResponseReason
  | "connection-lost"
  | "deadline"
  | "aborted";

/**
 * An exchange without a response.
 *
 * - `invalid-response`: the server sent bytes that are not HTTP.
 * - `connection-failed`: no connection was made, or it broke.
 * - `timeout`: the signal aborted.
 *
 * `sent` is false only if the request was provably never passed to a connection.
 */
export interface NoResponse {
  kind: "invalid-response" | "connection-failed" | "timeout";
  reason: FailureReason;
  sent: boolean;
}

export type ExchangeResult = HttpResponse | NoResponse;

/**
 * Sends one request and reads its response. Does not follow redirects and never rejects. It uses `dispatch` instead of
 * `request`, because only the dispatch handler reports when the request gets its connection.
 */
export function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { maxResponseBytes, whole = false, signal, onSend }: ExchangeOptions,
): Promise<ExchangeResult> {
  if (signal.aborted) return Promise.resolve({ kind: "timeout", reason: "deadline", sent: false });

  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let interim = 0;
    let sent = false;
    let head: Pick<HttpResponse, "status" | "retryAfter" | "date" | "contentType"> | undefined;
    let controller: Dispatcher.DispatchController | undefined;

    const onAbort = () => finish({ kind: "timeout", reason: "deadline", sent });

    function finish(result: ExchangeResult): void {
      signal.removeEventListener("abort", onAbort);
      resolve(result);
      if (result.kind === "timeout") controller?.abort(new Error("deadline"));
    }

    function respond(broken?: ResponseReason): void {
      if (!head) return;
      const bytes = Buffer.concat(chunks).subarray(0, maxResponseBytes);
      finish({ kind: "response", ...head, bytes, ...(broken && { broken }) });
    }

    function abortResponse(started: Dispatcher.DispatchController, reason: ResponseReason): void {
      respond(reason);
      started.abort(new Error(reason));
    }

    signal.addEventListener("abort", onAbort);
    dispatcher.dispatch(request, {
      onRequestStart(started) {
        controller = started;
        if (signal.aborted) return started.abort(new Error("deadline"));
        sent = true;
        onSend?.();
      },
      onResponseStart(started, status, headers) {
        if (status < 200) {
          interim += 1;
          if (interim > maxInterim) started.abort(new errors.HTTPParserError("too many interim responses"));
          return;
        }
        head = {
          status,
          retryAfter: single(headers["retry-after"]),
          date: single(headers.date),
          contentType: single(headers["content-type"]),
        };
        if (isEncoded(headers)) abortResponse(started, "encoded");
        else if (whole && Number(headers["content-length"]) > maxResponseBytes)
          abortResponse(started, "too-large");
      },
      onResponseData(started, chunk) {
        size += chunk.length;
        chunks.push(chunk);
        if (size > maxResponseBytes) abortResponse(started, "too-large");
      },
      onResponseEnd() {
        respond();
      },
      onResponseError(_, error) {
        if (!sent) return finish({ kind: "connection-failed", reason: connectReason(error), sent });
        const reason = responseReason(error, head !== undefined);
        if (reason === undefined)
          return finish({ kind: "connection-failed", reason: "connection-lost", sent });
        if (head) respond(reason);
        else finish({ kind: "invalid-response", reason, sent });
      },
    });
  });
}

/** The request accepts no encoding. So an encoded body is an error, and decoding could exceed the size limit. */
function isEncoded(headers: Headers): boolean {
  const encoding = headers["content-encoding"];
  return encoding !== undefined && encoding !== "identity";
}

function single(header: string | string[] | undefined): string | undefined {
  return typeof header === "string" ? header : undefined;
}
