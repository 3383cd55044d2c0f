import type { MiddlewareHandler } from "hono";
import { behindGates } from "../middleware/chain.ts";
import type { HttpEnv } from "../middleware/context.ts";
import type { McpOptions } from "./app.ts";

/** The MCP server. Its first request with a valid key loads the code, so that it costs nothing while nobody uses it. */
export function mcpRoute(options: McpOptions): MiddlewareHandler<HttpEnv> {
  let loaded: Promise<MiddlewareHandler<HttpEnv>> | undefined;
  return behindGates(async (c, next) => {
    loaded ??= import("./app.ts").then(({ createMcpApp }) => createMcpApp(options));
    const serve = await loaded;
    return serve(c, next);
  });
}
