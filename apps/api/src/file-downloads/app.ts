import { Failure, type KeyAdmin } from "@cardbridge/domain";
import type { Call, Operations, Ports } from "@cardbridge/operations";
import { Hono, type MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import * as z from "zod";
import { type Chain, createChain } from "../middleware/chain.ts";
import type { HttpEnv } from "../middleware/context.ts";
import type { LimitRate } from "../middleware/limit-rate.ts";
import { providerCall } from "../middleware/provider-call.ts";
import type { ReadUpload } from "../middleware/read-upload.ts";
import { addressOf } from "../server/address.ts";
import type { SignedUrls } from "./file-urls.ts";

interface Options {
  operations: Operations["files"];
  ports: Ports;
  /** The ports for reads by signature, which the provider makes. */
  providerPorts: Ports;
  urls: SignedUrls;
  chain: Chain;
  limit: LimitRate;
  readUpload: ReadUpload;
}

/** The characters of a token, and a length above that of any. What else is sent is no token. */
const uploadToken = z.string().regex(/^[A-Za-z0-9_.-]{1,2048}$/);

/** Serves files by their URLs: downloads with a key or a signature, and uploads with the token of an upload URL. */
export function createFilesApp({
  operations,
  ports,
  providerPorts,
  urls,
  chain,
  limit,
  readUpload,
}: Options): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const byToken = createChain(authenticateToken(urls, ports.keys), limit);

  const read = async (fileId: string, call: Call, used = ports) => {
    const { data } = await operations.read.execute(used, call, { fileId });
    return download(data);
  };
  app.get("/:fileId", async (c, next) => {
    const { expires, signature } = c.req.query();
    if (signature === undefined) return next();
    const fileId = c.req.param("fileId");
    if (!urls.opens(fileId, expires, signature)) throw new Failure("UNAUTHENTICATED");
    return read(fileId, providerCall(c), providerPorts);
  });
  app.get("/:fileId", chain("query"), (c) => read(c.req.param("fileId") ?? "", c.get("call")));

  app.put("/uploads/:token", byToken("mutation", readUpload.bytes), async (c) => {
    const input = { ...(c.get("body") as object), purpose: c.get("purpose") };
    const { data } = await operations.upload.execute(ports, c.get("call"), input);
    return c.json(data, 201);
  });
  return app;
}

/** Authenticates an upload URL's token as the key that created it, while that key is live. */
function authenticateToken(urls: SignedUrls, keys: Pick<KeyAdmin, "show">): MiddlewareHandler<HttpEnv> {
  return createMiddleware<HttpEnv>(async (c, next) => {
    const { data } = uploadToken.safeParse(c.req.param("token"));
    const token = data === undefined ? undefined : urls.readToken(data);
    const key = token && (await keys.show(token.actor));
    if (!token || key?.state !== "live") throw new Failure("UNAUTHENTICATED");
    const { purpose, ...caller } = token;
    c.set("purpose", purpose);
    c.set("call", {
      ...caller,
      kind: "platform",
      requestId: c.get("requestId"),
      address: addressOf(c.env),
      scopes: new Set(["files:write"] as const),
    });
    await next();
  });
}

/** Responds with a file as a download, so that browsers never render it as our page. */
function download({ contentType, bytes }: { contentType: string; bytes: Uint8Array }): Response {
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
