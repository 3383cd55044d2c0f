import { Failure } from "@cardbridge/domain";
import { maxBodyBytes, maxBodyMillis } from "./limits.ts";

const limitsOfJson = { maxBytes: maxBodyBytes, maxMillis: maxBodyMillis };

/**
 * Reads a request's body within its limits of size and time, those of JSON when absent.
 * @throws Failure PAYLOAD_TOO_LARGE, REQUEST_TIMEOUT, MALFORMED_REQUEST.
 */
export async function readBody(
  request: Request,
  { maxBytes, maxMillis } = limitsOfJson,
): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = Number(request.headers.get("content-length")) > maxBytes;
  if (tooLarge) throw new Failure("PAYLOAD_TOO_LARGE");
  if (!request.body) return new Uint8Array();
  const reader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  let late = false;
  const cut = setTimeout(() => {
    late = true;
    reader.cancel().catch(() => {});
  }, maxMillis);
  try {
    for (let next = await read(reader); !next.done; next = await read(reader)) {
      size += next.value.byteLength;
      if (size > maxBytes) throw new Failure("PAYLOAD_TOO_LARGE");
      chunks.push(next.value);
    }
  } finally {
    clearTimeout(cut);
    reader.releaseLock();
  }
  if (late) throw new Failure("REQUEST_TIMEOUT");
  return new Uint8Array(Buffer.concat(chunks, size));
}

/** A body that breaks off is its caller's doing: as a rule, nobody is left to read the answer. */
function read(reader: ReadableStreamDefaultReader<Uint8Array>) {
  return reader.read().catch((cause: unknown) => {
    throw new Failure("MALFORMED_REQUEST", { cause });
  });
}
