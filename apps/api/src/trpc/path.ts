import type { HonoRequest } from "hono";
import { trpcPath } from "../server/paths.ts";

/**
 * The procedures that a request names, such as `cards.list`: one, or those of a batch. tRPC reads the path again
 * and decides; this serves the middlewares before it.
 * @throws URIError when the percent-encoding cannot be read.
 */
export function namesIn(request: HonoRequest): string[] {
  const path = new URL(request.url).pathname.slice(trpcPath.length + 1).replace(/\/{1,2}$/, "");
  const names = decodeURIComponent(path);
  return request.query("batch") === "1" ? names.split(",") : [names];
}
