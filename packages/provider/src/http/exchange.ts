import type { Dispatcher } from "undici";
import type { Body, CallResult, Reason } from "./call-result.ts";
import { connectReason, responseReason } from "./connection-error.ts";
import { parseJsonBody } from "./json-body.ts";

type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler["onResponseStart"]>>[2];

interface ExchangeOptions {
  maxResponseBytes: number;
  /** Aborts the exchange. After that, the request is never handed to a connection. */
  signal: AbortSignal;
  /** Called right before the request is handed to a connection. */
  onSend(): void;
}

/**
 * Sends one request and reads its complete response. Follows no redirect and never rejects. It uses `dispatch` instead
 * of `request`, because only the dispatch handler reports when the request gets its connection.
 */
export function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { maxResponseBytes, signal, onSend }: ExchangeOptions,
): Promise<CallResult> {
  if (signal.aborted) return Promise.resolve({ kind: "timeout", sent: false });

  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let sent = false;
    let head: { status: number; retryAfter: string | undefined } | undefined;
    let controller: Dispatcher.DispatchController | undefined;

    const onAbort = () => settle({ kind: "timeout", sent });

    function settle(result: CallResult): void {
      signal.removeEventListener("abort", onAbort);
      resolve(result);
      if (result.kind === "timeout") controller?.abort(new Error("deadline"));
    }

    function respond(body: Body): void {
      if (head) settle({ kind: "response", ...head, body });
    }

    function abortResponse(started: Dispatcher.DispatchController, reason: Reason): void {
      respond({ valid: false, reason });
      started.abort(new Error(reason));
    }

    signal.addEventListener("abort", onAbort);
    dispatcher.dispatch(request, {
      onRequestStart(started) {
        controller = started;
        if (signal.aborted) return started.abort(new Error("deadline"));
        sent = true;
        onSend();
      },
      onResponseStart(started, status, headers) {
        if (status < 200) return;
        head = { status, retryAfter: single(headers["retry-after"]) };
        if (isEncoded(headers)) abortResponse(started, "encoded");
        else if (Number(headers["content-length"]) > maxResponseBytes) abortResponse(started, "too-large");
      },
      onResponseData(started, chunk) {
        size += chunk.length;
        if (size > maxResponseBytes) abortResponse(started, "too-large");
        else chunks.push(chunk);
      },
      onResponseEnd() {
        respond(parseJsonBody(Buffer.concat(chunks)));
      },
      onResponseError(_, error) {
        if (!sent) return settle({ kind: "connection-failed", reason: connectReason(error), sent });
        const reason = responseReason(error, head !== undefined);
        if (reason === undefined)
          return settle({ kind: "connection-failed", reason: "connection-lost", sent });
        if (head) respond({ valid: false, reason });
        else settle({ kind: "invalid-response", reason });
      },
    });
  });
}

/** The request accepts no encoding. An encoded body is a mistake, or would inflate past the size limit. */
function isEncoded(headers: Headers): boolean {
  const encoding = headers["content-encoding"];
  return encoding !== undefined && encoding !== "identity";
}

function single(header: string | string[] | undefined): string | undefined {
  return typeof header === "string" ? header : undefined;
}
