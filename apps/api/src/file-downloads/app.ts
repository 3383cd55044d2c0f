import { type Audit, Failure, type Files, type KeyAdmin } from "@cardbridge/domain";
import { Hono, type MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import { addressOf } from "../server/address.ts";
import type { HttpEnv } from "../middleware/context.ts";
import type { LimitRate } from "../middleware/limit-rate.ts";
import type { Call, Operations, Ports } from "../operations/index.ts";
import type { SignedUrls } from "./file-urls.ts";
import type { ReadUpload } from "../middleware/read-upload.ts";

interface Options {
  upload: Operations["files"]["upload"];
  ports: Ports;
  urls: SignedUrls;
  authenticate: MiddlewareHandler<HttpEnv>;
  limit: LimitRate;
  readUpload: ReadUpload;
}

/** Files under their own addresses: opened with a key or a signature, and uploaded where an address was made for it. */
export function createFilesApp({
  upload,
  ports,
  urls,
  authenticate,
  limit,
  readUpload,
}: Options): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();

  app.get("/:fileId", async (c, next) => {
    const { expires, signature } = c.req.query();
    const fileId = c.req.param("fileId");
    if (signature === undefined) return next();
    if (!urls.opens(fileId, expires, signature)) throw new Failure("UNAUTHENTICATED");
    const platformId = await ports.files.platformOf(fileId);
    return answer(await open(ports.files, platformId, fileId));
  });
  app.get("/:fileId", authenticate, limit("query"), async (c) => {
    const call = c.get("call");
    const fileId = c.req.param("fileId");
    if (!call.scopes.has("files:write") && !call.scopes.has("kyc:read")) throw new Failure("SCOPE_MISSING");
    const file = await open(ports.files, call.platformId, fileId);
    await noteRead(ports.audit, call, fileId);
    return answer(file);
  });

  app.put("/uploads/:token", byToken(urls, ports.keys), limit("mutation"), readUpload.bytes, async (c) => {
    const input = { ...(c.get("body") as object), purpose: c.get("purpose") };
    const { data } = await upload.execute(ports, c.get("call"), input);
    return c.json(data, 201);
  });
  return app;
}

/** Turns an upload address into a call of whoever had it made, as long as the key that they did so with lives. */
function byToken(urls: SignedUrls, keys: Pick<KeyAdmin, "show">) {
  return createMiddleware<HttpEnv>(async (c, next) => {
    const order = urls.readToken(c.req.param("token") ?? "");
    const key = order && (await keys.show(order.actor));
    if (!order || key?.state !== "live") throw new Failure("UNAUTHENTICATED");
    const { purpose, ...who } = order;
    c.set("purpose", purpose);
    c.set("call", {
      ...who,
      requestId: c.get("requestId"),
      address: addressOf(c.env),
      scopes: new Set(["files:write"] as const),
    });
    await next();
  });
}

async function open(files: Files, platformId: string | null, fileId: string) {
  const file = platformId === null ? null : await files.read(platformId, fileId);
  if (!file) throw new Failure("FILE_NOT_FOUND");
  return file;
}

function noteRead(audit: Audit, { platformId, actor, requestId, address }: Call, fileId: string) {
  const entry = { actor, requestId, address, act: "file.read", subject: fileId, outcome: "done" } as const;
  return audit.note(platformId, entry);
}

/** A file is downloaded, and never shown as a page of ours. */
function answer({ contentType, bytes }: Awaited<ReturnType<typeof open>>): Response {
  return new Response(bytes as Uint8Array<ArrayBuffer>, {
    headers: {
      "content-type": contentType,
      "content-length": String(bytes.byteLength),
      "content-disposition": "attachment",
      "content-security-policy": "default-src 'none'; sandbox",
      "cache-control": "no-store",
    },
  });
}
