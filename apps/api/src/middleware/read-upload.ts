import { Failure, type Violation } from "@cardbridge/domain";
import type { MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import { tooLarge, unsupportedMediaType } from "../errors/malformed.ts";
import { maxFileMillis } from "../server/limits.ts";
import type { HttpEnv } from "./context.ts";
import { readBody } from "./read-body.ts";
import type { UploadQueue } from "./upload-queue.ts";

/** The maximum size of a form without its file. */
const formBytes = 16 * 1024;

export interface UploadLimits {
  queue: UploadQueue;
  /** The maximum size of a file in bytes. */
  maxBytes: number;
  /** The maximum time to receive it, in milliseconds. The default is a minute. */
  maxMillis?: number;
}

/** Middlewares that read an upload into `body`. Each request keeps its slot in the queue until it is answered. */
export type ReadUpload = Record<"form" | "bytes", MiddlewareHandler<HttpEnv>>;

/**
 * Creates the middlewares that read uploads: forms, and plain bytes.
 * @throws Failure UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, REQUEST_TIMEOUT, MALFORMED_REQUEST, INVALID_INPUT,
 *   SERVICE_UNAVAILABLE if the queue is full or too slow.
 */
export function uploadReaders({ queue, maxBytes, maxMillis = maxFileMillis }: UploadLimits): ReadUpload {
  const reader = (
    takesForm: boolean,
    parse: (bytes: Uint8Array<ArrayBuffer>, type: string) => Promise<unknown>,
  ) =>
    createMiddleware<HttpEnv>(async (c, next) => {
      const type = c.req.header("content-type") ?? "";
      const isForm = /^multipart\/form-data *;/i.test(type);
      if (isForm !== takesForm || c.req.header("content-encoding") !== undefined)
        throw unsupportedMediaType(
          takesForm ? "multipart/form-data, with a boundary" : "image/jpeg, or the type of the file",
        );
      await queue.pass(async () => {
        const bytes = await readBody(c, {
          maxBytes: maxBytes + (takesForm ? formBytes : 0),
          maxMillis,
        });
        c.set("body", await parse(bytes, type));
        await next();
        // Release the bytes early, because the response no longer needs them.
        c.set("body", undefined);
      });
    });
  return {
    form: reader(true, async (bytes, type) => readForm(bytes, type, maxBytes)),
    bytes: reader(false, async (bytes) => ({ file: new File([bytes], "") })),
  };
}

async function readForm(bytes: Uint8Array<ArrayBuffer>, type: string, maxBytes: number) {
  const form = await new Response(bytes, { headers: { "content-type": type } }).formData().catch(() => {
    const violation = {
      path: [],
      rule: "form",
      message: "The body is not valid multipart/form-data.",
    };
    throw new Failure("MALFORMED_REQUEST", { violations: [violation] });
  });
  const fields = ["purpose", "file"];
  const twice = fields.filter((name) => form.getAll(name).length > 1);
  if (twice.length > 0) throw new Failure("INVALID_INPUT", { violations: twice.map(repeated) });
  const file = form.get("file");
  if (file instanceof File && file.size > maxBytes) throw tooLarge(maxBytes);
  return Object.fromEntries(fields.filter((name) => form.has(name)).map((name) => [name, form.get(name)]));
}

function repeated(field: string): Violation {
  return { path: [field], rule: "repeated", message: "Send this field once." };
}
