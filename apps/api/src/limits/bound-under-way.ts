import { Failure } from "@cardbridge/domain";
import type { Fetch } from "../http/http-server.ts";
import { requestId } from "../ids.ts";
import { renderFailure } from "../render-failure.ts";

/**
 * Bounds how many requests a process works on at once. What comes beyond that is refused right away with 503,
 * before anything is read or done for it: waiting, it would only make all the others late. Questions about the
 * service's health are answered whatever comes.
 */
export function boundUnderWay(
  fetch: Fetch,
  most: number,
  onRefused: (failure: Failure, requestId: string) => void,
): Fetch {
  let underWay = 0;
  return (request, node) => {
    const path = pathOf(request.url);
    if (underWay < most || path.startsWith("/health/")) return working(fetch, request, node);
    const failure = new Failure("SERVICE_UNAVAILABLE", { retryAfterSeconds: 1 });
    const id = requestId();
    onRefused(failure, id);
    const response = renderFailure(failure, id, { path, method: request.method });
    response.headers.set("x-request-id", id);
    return response;
  };

  async function working(...[fetch, request, node]: [Fetch, ...Parameters<Fetch>]): Promise<Response> {
    underWay += 1;
    try {
      return await fetch(request, node);
    } finally {
      underWay -= 1;
    }
  }
}

/** Without a parser: there are many of these when there is no time. */
function pathOf(url: string): string {
  return url.slice(url.indexOf("/", url.indexOf("//") + 2)).split("?", 1)[0] ?? "";
}
