import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { type ErrorCode, Failure } from "@cardbridge/domain";
import type { Context } from "hono";
import { maxBodyBytes, maxBodyMillis } from "../server/limits.ts";
import type { HttpEnv } from "./context.ts";

const limitsOfJson = { maxBytes: maxBodyBytes, maxMillis: maxBodyMillis };

/**
 * Reads a request's body within its limits of size and time, those of JSON when absent. It comes from Node's own
 * request: a web stream over it would cost a tenth of a submission.
 * @throws Failure PAYLOAD_TOO_LARGE, REQUEST_TIMEOUT, MALFORMED_REQUEST.
 */
export async function readBody(
  c: Context<HttpEnv>,
  { maxBytes, maxMillis } = limitsOfJson,
): Promise<Buffer<ArrayBuffer>> {
  if (Number(c.req.header("content-length")) > maxBytes) throw new Failure("PAYLOAD_TOO_LARGE");
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
    const late = setTimeout(() => fail("REQUEST_TIMEOUT"), maxMillis);
    const broken = () => fail("MALFORMED_REQUEST");
    body.on("data", take).once("end", end).once("close", broken).once("error", broken);

    function take(chunk: Buffer): void {
      size += chunk.byteLength;
      if (size > maxBytes) fail("PAYLOAD_TOO_LARGE");
      else chunks.push(chunk);
    }
    function end(): void {
      leave();
      resolve(Buffer.concat(chunks, size));
    }
    function fail(code: ErrorCode): void {
      leave();
      body.pause();
      reject(new Failure(code));
    }
    function leave(): void {
      clearTimeout(late);
      body.off("data", take).off("end", end).off("close", broken);
    }
  });
}
