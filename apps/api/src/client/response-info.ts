import { TRPCClientError, type TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import type { AppRouter } from "../trpc/router.ts";

/** What the headers of an answer say of it. */
export interface ResponseInfo {
  /** Names the request; name it when you ask for help. */
  requestId: string | undefined;
  /** Whether the answer repeats that of an earlier submission (gaps G16 and G20). */
  replayed: boolean;
}

const infos = new WeakMap<object, ResponseInfo>();

/** Remembers of each result what its headers said, for as long as the result is there. */
export const noteResponses: TRPCLink<AppRouter> =
  () =>
  ({ next, op }) =>
    observable((observer) =>
      next(op).subscribe({
        ...observer,
        next(envelope) {
          const data = "data" in envelope.result ? envelope.result.data : undefined;
          const info = infoOf(envelope.context?.response);
          if (typeof data === "object" && data !== null && info) infos.set(data, info);
          observer.next(envelope);
        },
      }),
    );

/** What the headers said of a call's result, or of the error that it threw; undefined for anything else. */
export function responseInfo(resultOrError: unknown): ResponseInfo | undefined {
  if (resultOrError instanceof TRPCClientError) return infoOf(resultOrError.meta?.response);
  return typeof resultOrError === "object" && resultOrError !== null ? infos.get(resultOrError) : undefined;
}

function infoOf(response: unknown): ResponseInfo | undefined {
  // Not asked for its class: servers put a Response of their own in the place of the global one.
  if (typeof response !== "object" || response === null || !("headers" in response)) return undefined;
  const { headers } = response;
  if (!(headers instanceof Headers)) return undefined;
  return {
    requestId: headers.get("x-request-id") ?? undefined,
    replayed: headers.get("idempotent-replayed") === "true",
  };
}
