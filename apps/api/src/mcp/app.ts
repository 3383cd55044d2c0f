import { type Environment, Failure } from "@cardbridge/domain";
import type { Operations, Ports } from "@cardbridge/operations";
import { hostHeaderValidation, originValidation } from "@modelcontextprotocol/hono";
import {
  createMcpHandler,
  isLegacyRequest,
  localhostAllowedHostnames,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { Context, MiddlewareHandler } from "hono";
import { every } from "hono/combine";
import type { FairSemaphore } from "../admission/fair-semaphore.ts";
import type { RateLimiter } from "../admission/rate-limiter.ts";
import type { Site } from "../docs/site.ts";
import { malformed } from "../errors/malformed.ts";
import type { HttpEnv } from "../middleware/context.ts";
import { readJson } from "../middleware/read-json.ts";
import { serversOf } from "./create-server.ts";
import { createSearch } from "./search.ts";

export interface McpOptions {
  operations: Operations;
  ports: Ports;
  rateLimiter: RateLimiter;
  searches: FairSemaphore;
  publicUrl: string;
  environment: Environment;
  site: Site;
  /** Receives every unexpected failure. */
  onUnexpected(failure: Failure, requestId: string): void;
}

/**
 * Serves the Model Context Protocol without sessions: each message has a server of its own, and a JSON response.
 * A web page whose name was bound to this machine's address sends a foreign Host.
 */
export function createMcpApp({ publicUrl, ...options }: McpOptions): MiddlewareHandler<HttpEnv> {
  const { operations, ports, rateLimiter, searches, environment, site, onUnexpected } = options;
  const hosts = [new URL(publicUrl).hostname, ...localhostAllowedHostnames()];
  const createServer = serversOf(operations, environment);
  const search = createSearch(site, publicUrl);

  return every(hostHeaderValidation(hosts), originValidation(hosts), readJson, serveMessage);

  async function serveMessage(c: Context<HttpEnv>): Promise<Response> {
    const message = c.get("body");
    if (Array.isArray(message)) throw malformed("mcp-batch", "Send one message in each request.");
    let problem: unknown;
    const onError = (error: unknown) => {
      problem = error;
    };
    const server = createServer({
      ports,
      rateLimiter,
      searches,
      search,
      call: c.get("call"),
      onTool: (name) => c.set("procedures", [name]),
      onFailure(failure) {
        c.set("failure", failure);
        if (failure.code === "INTERNAL_ERROR") onUnexpected(failure, c.get("requestId"));
      },
      onCounted: (allowance) => allowance && c.set("allowance", allowance),
    });
    const response = await respond(server, c.req.raw, message, onError);
    if (response.status >= 500) throw new Failure("INTERNAL_ERROR", { cause: problem });
    return response;
  }
}

/** The SDK's handler would answer clients of the protocol's revisions until 2025 with a stream of events. */
async function respond(
  server: Server,
  request: Request,
  parsedBody: unknown,
  onerror: (error: unknown) => void,
): Promise<Response> {
  if (!(await isLegacyRequest(request, parsedBody))) {
    const handler = createMcpHandler(() => server, { legacy: "reject", maxSubscriptions: 0, onerror });
    return handler.fetch(request, { parsedBody });
  }
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  transport.onerror = onerror;
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody });
  } finally {
    await server.close();
  }
}
