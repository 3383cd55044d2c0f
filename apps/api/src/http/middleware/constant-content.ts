import { hash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Context, Handler } from "hono";
import { accepts } from "hono/accepts";

type Bytes = Uint8Array<ArrayBuffer>;
/** The content codings, in order of preference. */
const codings = ["br", "gzip", "identity"] as const;
type Coding = (typeof codings)[number];

/** Content that is the same for every caller. */
export interface ConstantContent {
  /** Responds with the content, compressed where the caller accepts it, or with 304. */
  serve(cacheControl: string): Handler;
}

/** Cache-Control for content whose URL contains its version, and for other content. */
export const immutable = "public, max-age=31536000, immutable";
export const revalidated = "no-cache";

const chunkBytes = 64 * 1024;

/**
 * Creates content that is loaded, hashed and compressed on its first use, off the event loop. All responses share its
 * bytes. Hono's compress and etag compress, hash or copy the body of each response.
 */
export function constantContent(type: string, load: () => Promise<Bytes | string>): ConstantContent {
  let prepared: Promise<Prepared> | undefined;
  const ready = () => {
    prepared ??= prepare(load, isCompressible(type)).catch((error: unknown) => {
      prepared = undefined;
      throw error;
    });
    return prepared;
  };
  return {
    serve: (cacheControl) => async (c) => {
      const { version, variants } = await ready();
      const coding = codingFor(c, variants);
      const etag = `"${version}-${coding}"`;
      const headers = {
        etag,
        vary: "accept-encoding",
        "cache-control": cacheControl,
      };
      if (isKnown(c.req.header("if-none-match"), etag)) return c.body(null, 304, headers);
      const bytes = variants[coding] ?? variants.identity;
      return c.body(inChunks(bytes), 200, {
        ...headers,
        "content-type": type,
        // Explicit, because a response to HEAD has no body to count.
        "content-length": String(bytes.byteLength),
        ...(coding === "identity" ? {} : { "content-encoding": coding }),
      });
    },
  };
}

interface Prepared {
  version: string;
  /** Content that is not compressible has one variant. */
  variants: Partial<Record<Coding, Bytes>> & { identity: Bytes };
}

async function prepare(load: () => Promise<Bytes | string>, compressible: boolean): Promise<Prepared> {
  const content = await load();
  const identity = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const version = hash("sha256", identity, "hex").slice(0, 16);
  if (!compressible) return { version, variants: { identity } };
  // Quality 5 takes 0.15 s for 4 MB. The best quality saves 10 % more, and takes ten seconds.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5 };
  const [br, gzipped] = await Promise.all([
    promisify(brotliCompress)(identity, { params }),
    promisify(gzip)(identity),
  ]);
  return { version, variants: { br, gzip: gzipped, identity } };
}

/** Other formats are compressed already. */
const isCompressible = (type: string) => /^text\/|[/+](?:json|xml)\b/.test(type);

/** Splits large content, so that a slow caller keeps one chunk in memory instead of a copy of the content. */
function inChunks(bytes: Bytes): ReadableStream<Bytes> | Bytes {
  if (bytes.byteLength <= chunkBytes) return bytes;
  let sent = 0;
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(bytes.subarray(sent, sent + chunkBytes));
      sent += chunkBytes;
      if (sent >= bytes.byteLength) controller.close();
    },
  });
}

function codingFor(c: Context, variants: Prepared["variants"]): Coding {
  const coding = accepts(c, {
    header: "Accept-Encoding",
    supports: codings.filter((coding) => coding in variants),
    default: "identity",
    match: (accepted, { supports, default: other }) =>
      supports.find((coding) => accepted.some(({ type, q }) => type === coding && q > 0)) ?? other,
  });
  return coding as Coding;
}

/** Whether the caller has this content. The comparison is weak, as RFC 9110 requires. */
function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = ifNoneMatch?.split(",").map((tag) => tag.trim().replace(/^W\//, "")) ?? [];
  return tags.includes(etag) || tags.includes("*");
}
