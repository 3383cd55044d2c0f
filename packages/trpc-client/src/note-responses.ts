import type { TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import type { AppRouter } from "./app-router.ts";
import { noteResponse } from "./response-info.ts";

/** A link that stores the headers of each response for `responseInfo`. */
export const noteResponses: TRPCLink<AppRouter> =
  () =>
  ({ next, op }) =>
    observable((observer) =>
      next(op).subscribe({
        ...observer,
        next(envelope) {
          if ("data" in envelope.result) noteResponse(envelope.result.data, envelope.context?.response);
          observer.next(envelope);
        },
      }),
    );
