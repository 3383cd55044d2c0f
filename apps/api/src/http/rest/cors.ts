import { environmentHeader } from "@cardbridge/domain";
import { isUploadsPath, pathOf } from "../../config/paths.ts";

/** Lets web pages of every origin read a response. It allows no cookies: the token in the path is the credential. */
const readable: Readonly<Record<string, string>> = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": `x-request-id, ${environmentHeader}, retry-after, idempotent-replayed, ratelimit, ratelimit-policy`,
};

/** The further headers of the response to a preflight request. Browsers send it before each `PUT` of a page. */
export const preflightHeaders: Readonly<Record<string, string>> = {
  "access-control-allow-methods": "PUT",
  "access-control-allow-headers": "content-type",
  "access-control-max-age": "600",
};

/** The CORS headers of every response to a target, also of errors. Only the path of upload URLs has any (gap G19). */
export function corsHeaders(target = ""): Readonly<Record<string, string>> {
  return isUploadsPath(pathOf(target)) ? readable : {};
}
