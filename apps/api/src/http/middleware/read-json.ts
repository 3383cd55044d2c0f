import { MIMEType } from "node:util";
import { createMiddleware } from "hono/factory";
import { malformed, requireMediaType } from "../errors/malformed.ts";
import type { HttpEnv } from "./context.ts";
import { parseJson } from "./parse-json.ts";
import { readBody } from "./read-body.ts";

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a JSON body, for all transports. The request holds a slot of `bodies` until its body is read, so that slow
 * bodies of one platform do not use the memory of other platforms.
 * @throws Failure UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, REQUEST_TIMEOUT, MALFORMED_REQUEST.
 */
export const readJson = createMiddleware<HttpEnv>(async (c, next) => {
  requireMediaType(
    isJson(c.req.header("content-type")),
    "application/json",
    c.req.header("content-encoding"),
  );
  const text = decode(await readBody(c));
  c.env.admission?.body?.release();
  c.set("body", parse(text));
  // Hono's own body readers return this text.
  Object.assign(c.req.bodyCache, { text: Promise.resolve(text) });
  await next();
});

/** JSON is in UTF-8. Another charset is not supported; other parameters are ignored. */
function isJson(contentType = ""): boolean {
  try {
    const { essence, params } = new MIMEType(contentType);
    return essence === "application/json" && /^utf-8$/i.test(params.get("charset") ?? "utf-8");
  } catch {
    return false;
  }
}

function parse(text: string): unknown {
  if (text === "") throw malformed("json", "The body is empty. Send a JSON object.");
  return parseJson(text, "body");
}

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw malformed("json", "The body is not valid UTF-8.");
  }
}
