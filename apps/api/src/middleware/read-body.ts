import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { type ErrorCode, Failure } from "@cardbridge/domain";
import type { Context } from "hono";
import { tooLarge } from "../errors/malformed.ts";
import { maxBodyBytes, maxBodyMillis } from "../server/limits.ts";
import type { HttpEnv } from "./context.ts";

const jsonLimits = { maxBytes: maxBodyBytes, maxMillis: maxBodyMillis };

/**
 * Reads a request's body within limits of size and time. The default limits are those of JSON. It reads Node's request
 * directly, because a web stream is measurably slower.
 * @throws Failure PAYLOAD_TOO_LARGE, REQUEST_TIMEOUT, MALFORMED_REQUEST.
 */
export async function readBody(
  c: Context<HttpEnv>,
  { maxBytes, maxMillis } = jsonLimits,
): Promise<Buffer<ArrayBuffer>> {
  if (Number(c.req.header("content-length")) > maxBytes) throw tooLarge(maxBytes);
  return collect(bodyOf(c), maxBytes, maxMillis);
}

function bodyOf({ env, req }: Context<HttpEnv>): Readable {
  if (env?.incoming) return env.incoming;
  return req.raw.body ? Readable.fromWeb(req.raw.body as ReadableStream) : Readable.from([]);
}

function collect(body: Readable, maxBytes: number, maxMillis: number): Promise<Buffer<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const timeout = setTimeout(() => fail("REQUEST_TIMEOUT"), maxMillis);
    const aborted = () => fail("MALFORMED_REQUEST");
    body.on("data", add).once("end", end).once("close", aborted).once("error", aborted);

    function add(chunk: Buffer): void {
      size += chunk.byteLength;
      if (size > maxBytes) fail("PAYLOAD_TOO_LARGE");
      else chunks.push(chunk);
    }
    function end(): void {
      cleanUp();
      resolve(Buffer.concat(chunks, size));
    }
    function fail(code: ErrorCode): void {
      cleanUp();
      body.pause();
      reject(code === "PAYLOAD_TOO_LARGE" ? tooLarge(maxBytes) : new Failure(code));
    }
    function cleanUp(): void {
      clearTimeout(timeout);
      body.off("data", add).off("end", end).off("close", aborted);
    }
  });
}
