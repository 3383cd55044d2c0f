import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { type ErrorCode, Failure } from "@cardbridge/domain";
import type { Context } from "hono";
import { maxBodyBytes, maxBodyMs } from "../../config/limits.ts";
import { tooLarge } from "../errors/malformed.ts";
import type { HttpEnv } from "./context.ts";
import { joinSmall } from "./join-small.ts";

const jsonLimits = { maxBytes: maxBodyBytes, maxMs: maxBodyMs };

/**
 * Reads a request's body within limits of size and time. The default limits are those of JSON. It reads Node's request
 * directly, because a web stream is measurably slower.
 * @throws Failure PAYLOAD_TOO_LARGE, REQUEST_TIMEOUT, MALFORMED_REQUEST.
 */
export async function readBody(c: Context<HttpEnv>, limits = jsonLimits): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  await receiveBody(c, limits, (chunk) => void chunks.push(chunk));
  return Buffer.concat(chunks);
}

/**
 * Receives a request's body chunk by chunk, within limits of size and time. If `take` throws, nothing more is read.
 * @throws the errors of `take`; Failure PAYLOAD_TOO_LARGE, REQUEST_TIMEOUT, MALFORMED_REQUEST.
 */
export async function receiveBody(
  c: Context<HttpEnv>,
  { maxBytes, maxMs }: typeof jsonLimits,
  take: (chunk: Buffer) => void,
): Promise<void> {
  if (Number(c.req.header("content-length")) > maxBytes) throw tooLarge(maxBytes);
  await receive(bodyOf(c), maxBytes, maxMs, take);
}

function bodyOf({ env, req }: Context<HttpEnv>): Readable {
  if (env?.incoming) return env.incoming;
  return req.raw.body ? Readable.fromWeb(req.raw.body as ReadableStream) : Readable.from([]);
}

function receive(
  body: Readable,
  maxBytes: number,
  maxMs: number,
  take: (chunk: Buffer) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const chunks = joinSmall(take);
    let size = 0;
    const timeout = setTimeout(() => fail("REQUEST_TIMEOUT"), maxMs);
    const aborted = () => fail("MALFORMED_REQUEST");
    // The caller may have disconnected while the request waited for a slot. Then no event follows.
    if (body.destroyed) return aborted();
    body.on("data", add).once("end", end).once("close", aborted).once("error", aborted);

    function add(chunk: Buffer): void {
      size += chunk.byteLength;
      if (size > maxBytes) stop(tooLarge(maxBytes));
      else attempt(() => chunks.add(chunk));
    }
    function end(): void {
      attempt(() => {
        chunks.flush();
        cleanUp();
        resolve();
      });
    }
    function attempt(work: () => void): void {
      try {
        work();
      } catch (error) {
        stop(error);
      }
    }
    function fail(code: ErrorCode): void {
      stop(new Failure(code));
    }
    function stop(reason: unknown): void {
      cleanUp();
      body.pause();
      reject(reason);
    }
    function cleanUp(): void {
      clearTimeout(timeout);
      body.off("data", add).off("end", end).off("close", aborted);
    }
  });
}
