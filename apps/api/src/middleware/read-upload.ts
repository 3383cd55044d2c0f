import { Failure, type Violation } from "@cardbridge/domain";
import type { MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import { maxFileMillis } from "../server/limits.ts";
import type { HttpEnv } from "./context.ts";
import { readBody } from "./read-body.ts";
import type { UploadQueue } from "./upload-queue.ts";

/** What a form has around its file. */
const formBytes = 16 * 1024;

export interface UploadLimits {
  queue: UploadQueue;
  /** The largest file. */
  maxBytes: number;
  /** How long it may take to arrive, in milliseconds; a minute when absent. */
  maxMillis?: number;
}

/** Reads a body of one kind into `body`, within the limits of uploads, and holds its place until it is answered. */
export type ReadUpload = Record<"form" | "bytes", MiddlewareHandler<HttpEnv>>;

/**
 * Readers of uploads: of a form with its fields, and of bare bytes.
 * @throws Failure UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, REQUEST_TIMEOUT, MALFORMED_REQUEST, INVALID_INPUT,
 *   SERVICE_UNAVAILABLE while too many are under way.
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
        throw new Failure("UNSUPPORTED_MEDIA_TYPE");
      await queue.pass(async () => {
        const bytes = await readBody(c, {
          maxBytes: maxBytes + (takesForm ? formBytes : 0),
          maxMillis,
        });
        c.set("body", await parse(bytes, type));
        await next();
        // The answer is made: the bytes are not needed any more.
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
      message: "The body is no form as multipart/form-data has it.",
    };
    throw new Failure("MALFORMED_REQUEST", { violations: [violation] });
  });
  const fields = ["purpose", "file"];
  const twice = fields.filter((name) => form.getAll(name).length > 1);
  if (twice.length > 0) throw new Failure("INVALID_INPUT", { violations: twice.map(repeated) });
  const file = form.get("file");
  if (file instanceof File && file.size > maxBytes) throw new Failure("PAYLOAD_TOO_LARGE");
  return Object.fromEntries(fields.filter((name) => form.has(name)).map((name) => [name, form.get(name)]));
}

function repeated(field: string): Violation {
  return { path: [field], rule: "repeated", message: "Send this field once." };
}
