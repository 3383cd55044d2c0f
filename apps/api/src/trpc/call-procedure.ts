import type { Failure } from "@cardbridge/domain";
import { callTRPCProcedure, getTRPCErrorFromUnknown, getTRPCErrorShape } from "@trpc/server";
import type { Handler } from "hono";
import type { HttpEnv } from "../http/context.ts";
import type { Ports } from "../operations/index.ts";
import { replayHeader } from "../problem.ts";
import type { TrpcContext } from "./context.ts";
import { failureOf } from "./errors.ts";
import { procedureName } from "./guards.ts";
import { renderShape } from "./render-error.ts";
import type { AppRouter } from "./router.ts";

/**
 * Calls the procedure that the path names, with the input that was read, and answers as tRPC's own adapter
 * does, which makes so much of each call that it would cost more than the call (ADR 10).
 *
 * @param onUnforeseen told of every failure that nobody foresaw
 */
export function callProcedure(
  router: AppRouter,
  ports: Ports,
  onUnforeseen: (failure: Failure, requestId: string) => void,
): Handler<HttpEnv> {
  const config = router._def._config;
  return async (c) => {
    const input = c.get("body");
    const ctx: TrpcContext = { ports, call: c.get("call"), replayed: false };
    const type = c.req.method === "GET" ? "query" : "mutation";
    const asked = { path: procedureName(c.req.path), type, ctx } as const;
    try {
      const getRawInput = () => Promise.resolve(input);
      const data = await callTRPCProcedure({
        ...asked,
        router,
        getRawInput,
        signal: ctx.call.signal,
        batchIndex: 0,
      });
      return c.json({ result: { data } }, 200, replayHeader(ctx.replayed));
    } catch (thrown) {
      const error = getTRPCErrorFromUnknown(thrown);
      const failure = failureOf(error);
      c.set("failure", failure);
      if (failure.code === "INTERNAL_ERROR") onUnforeseen(failure, ctx.call.requestId);
      return renderShape(getTRPCErrorShape({ ...asked, config, error, input }), failure);
    }
  };
}
