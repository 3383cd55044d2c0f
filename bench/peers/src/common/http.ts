import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";

/** For each framework's helmet: an API serves nothing that a page may load. */
export const helmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"], formAction: ["'none'"] },
  },
};

export function newRequestId(): string {
  return `req_${randomUUID()}`;
}

type Routed = IncomingMessage & { baseUrl?: string; route?: { path: string } };

/** For pino-http: one line a request, without the query, which names a user, and without what an error quotes. */
export const requestLog = {
  level: "info",
  base: null,
  quietReqLogger: true,
  quietResLogger: true,
  genReqId(_: IncomingMessage, response: ServerResponse) {
    const id = newRequestId();
    response.setHeader("x-request-id", id);
    return id;
  },
  customSuccessObject: line,
  customErrorObject: line,
  customSuccessMessage: () => "request",
  customErrorMessage: () => "request",
};

function line({ method, baseUrl = "", route }: Routed, { statusCode }: ServerResponse, ...found: object[]) {
  const { responseTime } = found.at(-1) as { responseTime: number };
  return { method, route: route && baseUrl + route.path, status: statusCode, responseTime };
}
