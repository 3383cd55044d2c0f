import { Failure } from "@cardbridge/domain";
import { createMiddleware } from "hono/factory";
import type { HttpEnv } from "./context.ts";

/** The largest JSON body in bytes (gap G21). */
const maxBodyBytes = 64 * 1024;

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a JSON body once, for every transport: into `body`, and back into the request for a transport that
 * reads it again.
 * @throws Failure UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, MALFORMED_REQUEST.
 */
export const readJson = createMiddleware<HttpEnv>(async (c, next) => {
  if (!isJson(c.req.header("content-type")) || c.req.header("content-encoding") !== undefined) {
    throw new Failure("UNSUPPORTED_MEDIA_TYPE");
  }
  const { url, method, headers } = c.req.raw;
  const bytes = await readBytes(c.req.raw);
  c.set("body", parse(bytes));
  c.req.raw = new Request(url, { method, headers, body: bytes });
  await next();
});

function isJson(contentType = ""): boolean {
  return /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(contentType.trim());
}

async function readBytes(request: Request): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = Number(request.headers.get("content-length")) > maxBodyBytes;
  if (tooLarge) throw new Failure("PAYLOAD_TOO_LARGE");
  if (!request.body) return new Uint8Array();
  const reader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (let next = await read(reader); !next.done; next = await read(reader)) {
      size += next.value.byteLength;
      if (size > maxBodyBytes) throw new Failure("PAYLOAD_TOO_LARGE");
      chunks.push(next.value);
    }
  } finally {
    reader.releaseLock();
  }
  return new Uint8Array(Buffer.concat(chunks, size));
}

/** A body that breaks off is its caller's doing: as a rule, nobody is left to read the answer. */
function read(reader: ReadableStreamDefaultReader<Uint8Array>) {
  return reader.read().catch((cause: unknown) => {
    throw new Failure("MALFORMED_REQUEST", { cause });
  });
}

function parse(bytes: Uint8Array): unknown {
  if (bytes.byteLength === 0) throw malformed("The body is empty; send a JSON object.");
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    throw malformed("The body is not valid JSON in UTF-8.");
  }
}

function malformed(message: string): Failure {
  return new Failure("MALFORMED_REQUEST", { violations: [{ path: [], rule: "json", message }] });
}
