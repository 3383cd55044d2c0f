import { Failure, internalPlatformId, type Violation } from "@cardbridge/domain";
import type { Call, Operations, Ports } from "@cardbridge/service";
import { type Context, Hono } from "hono";
import * as z from "zod";
import { addressOf } from "../../admission/head.ts";
import { replayHeader } from "../errors/problem.ts";
import { behindGates } from "../middleware/chain.ts";
import type { HttpEnv } from "../middleware/context.ts";
import { queryReader } from "../middleware/read-query.ts";
import type { ReadUpload } from "../middleware/read-upload.ts";
import { preflightHeaders } from "./cors.ts";
import type { SignedUrls } from "./file-urls.ts";

interface Options {
  operations: Operations["files"];
  ports: Ports;
  /** The ports for reads by signature, which the provider makes. */
  providerPorts: Ports;
  urls: SignedUrls;
  readUpload: ReadUpload;
}

/**
 * Serves files by their URLs: downloads with a key or a signature, and uploads with the token of an upload URL, also
 * from web pages. The gates authenticate keys and tokens.
 */
export function createFilesApp({
  operations,
  ports,
  providerPorts,
  urls,
  readUpload,
}: Options): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();

  const read = async (fileId: string, call: Call, used = ports, violations: Violation[] = []) => {
    const { data } = await operations.read.execute(used, call, { fileId }, violations);
    return download(data);
  };
  app.get("/:fileId", async (c, next) => {
    const { expires, signature } = c.req.query();
    if (signature === undefined) return next();
    const fileId = c.req.param("fileId");
    if (!urls.opens(fileId, expires, signature)) throw new Failure("UNAUTHENTICATED");
    return read(fileId, providerCall(c), providerPorts);
  });
  app.get("/:fileId", behindGates(), (c) =>
    read(c.req.param("fileId") ?? "", c.get("call"), ports, noParameters(c.req.url)),
  );

  app.options("/uploads/:token", (c) => c.body(null, 204, preflightHeaders));
  app.put("/uploads/:token", behindGates(readUpload.bytes), async (c) => {
    const input = { ...(c.get("body") as object), ...c.get("upload") };
    const violations = noParameters(c.req.url);
    const { data, replayed } = await operations.uploadToUrl.execute(ports, c.get("call"), input, violations);
    return c.json(data, 201, replayHeader(replayed));
  });
  return app;
}

const readNone = queryReader(z.object({}));

/** The violations of a query, which has no parameters. */
const noParameters = (url: string): Violation[] => readNone(url).violations;

/** The call of a provider with a verified signature. It names no platform. */
function providerCall(c: Context<HttpEnv>): Call {
  return {
    kind: "provider",
    actor: "provider",
    platformId: internalPlatformId,
    scopes: new Set(),
    requestId: c.get("requestId"),
    address: addressOf(c.env?.incoming?.socket),
  };
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
