import { Failure } from "@cardbridge/domain";
import { holderOf, type Ports } from "@cardbridge/service";
import { trpcServer } from "@hono/trpc-server";
import type { TRPCError } from "@trpc/server";
import type { Context, Handler, HonoRequest } from "hono";
import type { Authenticate } from "../admission/authenticate.ts";
import { headOf } from "../admission/head.ts";
import { type RateLimiter, rateClassOfProcedure } from "../admission/rate.ts";
import { maxCallsOfBatch } from "../config/limits.ts";
import { trpcPath } from "../config/paths.ts";
import { malformed } from "../http/errors/malformed.ts";
import { problemHeaders, replayHeader } from "../http/errors/problem.ts";
import type { HttpEnv } from "../http/middleware/context.ts";
import type { OwnCall } from "./context.ts";
import { failureOf } from "./errors.ts";
import { namesIn } from "./path.ts";
import type { AppRouter } from "./router.ts";
import type { Subscriptions } from "./subscriptions.ts";

interface Options {
  router: AppRouter;
  ports: Ports;
  subscriptions: Subscriptions;
  rateLimiter: RateLimiter;
  /** Whether the calls of a procedure have a rate and slots of their own. */
  isUrgent(procedure: string): boolean;
  /** Authenticates the key and the person of an open subscription again, without a cache. */
  reauthenticate: Authenticate;
  /** Receives every unexpected failure. */
  onUnexpected(failure: Failure, requestId: string): void;
}

/**
 * Serves a request, one call or a batch, with tRPC's adapter. Each request has its own adapter, because the adapter's
 * hooks do not receive the request.
 * @throws Failure for a request that tRPC refuses as a whole, and for a subscription that does not begin.
 */
export function serveCalls({
  router,
  ports,
  subscriptions,
  rateLimiter,
  isUrgent,
  reauthenticate,
  onUnexpected,
}: Options): Handler<HttpEnv> {
  return async (c, next) => {
    let calls: OwnCall[] | undefined;
    let refused: TRPCError | undefined;
    let unopened: Failure | undefined;
    let begun = false;
    const adapter = trpcServer({
      router,
      endpoint: trpcPath,
      maxBatchSize: maxCallsOfBatch,
      createContext: async ({ info }) => {
        const refusals = await countFurther(
          c,
          info.calls.map(({ path }) => path),
        );
        calls = refusals.map((refusal, index) => ownCall(c, index, refusal));
        const { incoming } = c.env;
        return {
          ports,
          subscriptions,
          checkKey() {
            if (!incoming) throw new TypeError("A subscription needs a server.");
            return reauthenticate(headOf(incoming));
          },
          requestId: c.get("requestId"),
          calls,
        };
      },
      onError({ error, type }) {
        if (!calls) refused = error;
        else if (type === "subscription" && !begun) unopened = failureOf(error);
        else report(c, failureOf(error));
      },
      responseMeta: ({ errors }) => ({ headers: calls ? headersOf(calls, errors.map(failureOf)) : {} }),
    });
    const response = await adapter(c, next);
    begun = true;
    if (unopened) {
      // tRPC would return 200 with the error as an event.
      await response?.body?.cancel();
      throw unopened;
    }
    if (response?.headers.get("content-type") === "text/event-stream") {
      response.headers.set("cache-control", "no-store, no-transform");
    }
    if (calls) {
      const [only, ...more] = calls;
      // For the log: the platform that the input names.
      if (only && more.length === 0) c.set("call", only.call);
      return response;
    }
    // A refused batch counts as all of its calls.
    const names = namesIn(c.req);
    await countFurther(c, names);
    throw requestFailure(refused, c.req, names);
  };

  /** Counts the calls of a request. The gates counted its first one. */
  function countFurther(c: Context<HttpEnv>, procedures: readonly string[]) {
    const counted = procedures.map(async (procedure, index) => {
      if (index === 0) return undefined;
      const holder = holderOf(c.get("call"), isUrgent(procedure));
      const allowance = await rateLimiter.count(holder, rateClassOfProcedure(c.req.method, procedure));
      c.set("allowance", allowance);
      if (allowance?.allowed !== false) return undefined;
      return new Failure("RATE_LIMITED", { retryAfterSeconds: allowance.retryAfterSeconds });
    });
    return Promise.all(counted);
  }

  function report(c: Context<HttpEnv>, failure: Failure): void {
    c.set("failure", failure);
    if (failure.code === "INTERNAL_ERROR") onUnexpected(failure, c.get("requestId"));
  }
}

/** The request holds the slot of its first call. Each further call takes one. */
function ownCall(c: Context<HttpEnv>, index: number, refusal: Failure | undefined): OwnCall {
  const call = c.get("call");
  return { call: { ...call, slot: index === 0 ? call.slot : undefined }, refusal, replayed: false };
}

/** The headers of a single call; for a batch, only the longest Retry-After. */
function headersOf(calls: readonly OwnCall[], failures: readonly Failure[]): Record<string, string> {
  const [only] = calls;
  if (calls.length === 1 && only) {
    return { ...replayHeader(only.replayed), ...(failures[0] && problemHeaders(failures[0])) };
  }
  const waits = failures.flatMap(({ details }) => details.retryAfterSeconds ?? []);
  return waits.length === 0 ? {} : { "retry-after": String(Math.max(...waits)) };
}

/**
 * Describes why tRPC refused a request as a whole. tRPC's own messages repeat the caller's values and omit the limits.
 *
 * @param names the procedures that the request names
 */
function requestFailure(
  error: TRPCError | undefined,
  request: HonoRequest,
  names: readonly string[],
): Failure {
  if (error?.code !== "BAD_REQUEST") return failureOf(error);
  if (names.length > maxCallsOfBatch) {
    const message = `Send at most ${maxCallsOfBatch} calls in one batch; this one has ${names.length}.`;
    return malformed("batch-size", message);
  }
  if (request.query("batch") !== "1") {
    return malformed("stream", "Only batches can be streamed: send batch=1, or accept application/json.");
  }
  return malformed("batch-kinds", "Send queries and mutations in separate batches.");
}
