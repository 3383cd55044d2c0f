import type { HonoRequest } from "hono";

export const trpcPath = "/trpc";

/** Whether a path is tRPC's, whatever there is behind it. */
export const isTrpc = (path: string): boolean => path === trpcPath || path.startsWith(`${trpcPath}/`);

/**
 * The procedures that a request names, such as `cards.list`: one, or those of a batch. tRPC reads them again for
 * itself and decides; these serve what comes before it.
 * @throws URIError when the percent-encoding cannot be read.
 */
export function namesIn(request: HonoRequest): string[] {
  const path = new URL(request.url).pathname.slice(trpcPath.length + 1).replace(/\/{1,2}$/, "");
  const names = decodeURIComponent(path);
  return request.query("batch") === "1" ? names.split(",") : [names];
}
