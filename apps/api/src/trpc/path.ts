import type { HonoRequest } from "hono";
import { trpcPath } from "../config/paths.ts";

/**
 * The names of the procedures in a request's path, such as `cards.list`. It serves the middlewares; tRPC parses the
 * path itself.
 * @throws URIError for invalid percent-encoding.
 */
export function namesIn(request: HonoRequest): string[] {
  const path = new URL(request.url).pathname.slice(trpcPath.length + 1).replace(/\/{1,2}$/, "");
  const names = decodeURIComponent(path);
  return request.query("batch") === "1" ? names.split(",") : [names];
}
