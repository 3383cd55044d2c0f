import type { Dispatcher } from "undici";
import { readBody } from "./body.ts";
import { reasonUnconnected, reasonUnreadable } from "./connection-fault.ts";
import type { Body, Outcome, Reason } from "./outcome.ts";

type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler["onResponseStart"]>>[2];

interface ExchangeOptions {
  maxResponseBytes: number;
  /** Ends the exchange; what was not handed to a connection by then never will be. */
  signal: AbortSignal;
  /** Called right before the first byte is handed to a connection. */
  onSend(): void;
}

/**
 * One request and its answer, read whole; follows no redirect. Never rejects. It speaks to `dispatch`,
 * which `request` is made of, because only there undici tells when a request gets its connection.
 */
export function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { maxResponseBytes, signal, onSend }: ExchangeOptions,
): Promise<Outcome> {
  if (signal.aborted) return Promise.resolve({ kind: "late", sent: false });

  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let sent = false;
    let head: { status: number; retryAfter: string | undefined } | undefined;
    let controller: Dispatcher.DispatchController | undefined;

    const stop = () => settle({ kind: "late", sent });

    function settle(outcome: Outcome): void {
      signal.removeEventListener("abort", stop);
      resolve(outcome);
      if (outcome.kind === "late") controller?.abort(new Error("deadline"));
    }

    function answer(body: Body): void {
      if (head) settle({ kind: "answer", ...head, body });
    }

    function giveUp(on: Dispatcher.DispatchController, reason: Reason): void {
      answer({ readable: false, reason });
      on.abort(new Error(reason));
    }

    signal.addEventListener("abort", stop);
    dispatcher.dispatch(request, {
      onRequestStart(given) {
        controller = given;
        if (signal.aborted) return given.abort(new Error("deadline"));
        sent = true;
        onSend();
      },
      onResponseStart(given, status, headers) {
        if (status < 200) return;
        head = { status, retryAfter: single(headers["retry-after"]) };
        if (isEncoded(headers)) giveUp(given, "encoded");
        else if (Number(headers["content-length"]) > maxResponseBytes) giveUp(given, "too-large");
      },
      onResponseData(given, chunk) {
        size += chunk.length;
        if (size > maxResponseBytes) giveUp(given, "too-large");
        else chunks.push(chunk);
      },
      onResponseEnd() {
        answer(readBody(Buffer.concat(chunks)));
      },
      onResponseError(_, error) {
        if (!sent) return settle({ kind: "lost", reason: reasonUnconnected(error), sent });
        const reason = reasonUnreadable(error, head !== undefined);
        if (reason === undefined) return settle({ kind: "lost", reason: "connection-lost", sent });
        if (head) answer({ readable: false, reason });
        else settle({ kind: "unreadable", reason });
      },
    });
  });
}

/** We ask for no encoding, so one is a mistake, or an attempt to grow past the size cap. */
function isEncoded(headers: Headers): boolean {
  const encoding = headers["content-encoding"];
  return encoding !== undefined && encoding !== "identity";
}

function single(header: string | string[] | undefined): string | undefined {
  return typeof header === "string" ? header : undefined;
}
