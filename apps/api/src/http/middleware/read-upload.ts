import type { Context, MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import { maxFileMs } from "../../config/limits.ts";
import { requireMediaType } from "../errors/malformed.ts";
import type { HttpEnv } from "./context.ts";
import { createFormParser } from "./parse-form.ts";
import { readBody, receiveBody } from "./read-body.ts";

/** The maximum size of a form without its file. */
const formBytes = 16 * 1024;
/** The fields of the form; others are ignored. */
const fields = ["purpose", "file"];

export interface UploadLimits {
  /** The maximum size of a file in bytes. */
  maxBytes: number;
  /** The maximum time to receive it, in milliseconds. The default is a minute. */
  maxMs?: number;
}

/** Middlewares that read an upload into `body`. Each request holds its slot of `uploads` until the response ends. */
export type ReadUpload = Record<"form" | "bytes", MiddlewareHandler<HttpEnv>>;

/**
 * Creates the middlewares that read uploads: forms, and plain bytes.
 * @throws Failure UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, REQUEST_TIMEOUT, MALFORMED_REQUEST, INVALID_INPUT.
 */
export function uploadReaders({ maxBytes, maxMs = maxFileMs }: UploadLimits): ReadUpload {
  const reader = (takesForm: boolean, read: (c: Context<HttpEnv>, type: string) => Promise<object>) =>
    createMiddleware<HttpEnv>(async (c, next) => {
      const type = c.req.header("content-type") ?? "";
      const isForm = /^multipart\/form-data *;/i.test(type);
      const wanted = takesForm
        ? "multipart/form-data, with a boundary"
        : "image/jpeg, or the type of the file";
      requireMediaType(isForm === takesForm, wanted, c.req.header("content-encoding"));
      c.set("body", await read(c, type));
      await next();
      // Release the bytes early, because the response no longer needs them.
      c.set("body", undefined);
    });
  return {
    form: reader(true, async (c, type) => {
      const form = createFormParser(type, fields, maxBytes);
      await receiveBody(c, { maxBytes: maxBytes + formBytes, maxMs }, form.write);
      return form.end();
    }),
    bytes: reader(false, async (c) => ({ file: new File([await readBody(c, { maxBytes, maxMs })], "") })),
  };
}
