import { Failure } from "@cardbridge/domain";
import { filesPath } from "../files/file-urls.ts";
import type { Fetch } from "../http/http-server.ts";
import { isReading } from "../http/same-origin.ts";
import { requestId } from "../ids.ts";
import { renderFailure } from "../render-failure.ts";
import { basePath } from "../rest/routes.ts";

/** Not counted: questions about the service's health, and uploads, which wait at a gate of their own. */
const uncounted = ["/health/", `${basePath}/files`, `${filesPath}/uploads/`];

/**
 * Bounds how many requests a process works on at once, those that read and those that change apart. What comes
 * beyond that is refused right away with 503, before anything is read or done for it: waiting, it would only make
 * all the others late.
 */
export function boundUnderWay(
  fetch: Fetch,
  most: number,
  onRefused: (failure: Failure, requestId: string) => void,
): Fetch {
  const underWay = { reading: 0, changing: 0 };
  return (request, node) => {
    const path = pathOf(request.url);
    if (uncounted.some((start) => path.startsWith(start))) return fetch(request, node);
    const kind = isReading(request.method) ? "reading" : "changing";
    if (underWay[kind] < most) return counted(kind, request, node);
    const failure = new Failure("SERVICE_UNAVAILABLE", { retryAfterSeconds: 1 });
    const id = requestId();
    onRefused(failure, id);
    const response = renderFailure(failure, id, { path, method: request.method });
    response.headers.set("x-request-id", id);
    return response;
  };

  async function counted(kind: keyof typeof underWay, ...call: Parameters<Fetch>): Promise<Response> {
    underWay[kind] += 1;
    try {
      return await fetch(...call);
    } finally {
      underWay[kind] -= 1;
    }
  }
}

/** Without a parser: there are many of these when there is no time. */
function pathOf(url: string): string {
  return url.slice(url.indexOf("/", url.indexOf("//") + 2)).split("?", 1)[0] ?? "";
}
