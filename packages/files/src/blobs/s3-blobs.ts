import { createHash } from "node:crypto";
import tls from "node:tls";
import { Failure, reasonOf } from "@cardbridge/domain";
import { AwsClient } from "aws4fetch";
import { checkedName } from "./blob-name.ts";
import { type BlobStore, checkMs } from "./blob-store.ts";

export interface S3Options {
  /** The URL without the bucket, such as `https://s3.eu-central-1.amazonaws.com`. */
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Whether the bucket is part of the path instead of the host. */
  pathStyle?: boolean;
  /** The time limit of one call including its body, in milliseconds. */
  timeoutMs?: number;
}

/** The error codes of stores without free space. S3 itself defines none. */
const noSpaceCode = /(?:StorageFull|InsufficientStorage|QuotaExceeded)$/;
/** The time limit of one call including its body, in milliseconds. */
const defaultTimeoutMs = 30_000;
/** How long an address can be used, in seconds. It includes a slow clock of this machine. */
const addressSeconds = 300;
/** The object of the checks. Random names are longer, so no blob has this name. */
const probe = "probe";

/** A call of an S3 store failed. `code` is the store's, such as NoSuchBucket, the network's or `status-502`. */
class S3Error extends Error {
  readonly code: string;

  constructor(code: string) {
    super(`The blob store failed: ${code}.`);
    this.name = "S3Error";
    this.code = code;
  }
}

/**
 * Stores blobs as objects of an S3 bucket. Each put contains the SHA-256 of the blob, which the store verifies.
 * @throws TypeError for an endpoint that is not an http(s) origin. The message never quotes it.
 */
export function createS3Blobs(options: S3Options): BlobStore {
  const { accessKeyId, secretAccessKey, region, timeoutMs = defaultTimeoutMs } = options;
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: "s3" });
  const base = bucketUrl(options);

  const call = (method: "PUT" | "GET" | "DELETE", name: string, options: CallOptions) =>
    request(method, base + checkedName(name), options);

  async function request(
    method: "PUT" | "GET" | "DELETE",
    url: string,
    { body, ms = timeoutMs, headers: further }: CallOptions,
  ): Promise<S3Response> {
    const headers = {
      ...further,
      "X-Amz-Content-Sha256": createHash("sha256")
        .update(body ?? "")
        .digest("hex"),
    };
    return send(await client.sign(url, { method, headers, ...(body && { body: Buffer.from(body) }) }), ms);
  }

  async function put(name: string, body: Uint8Array, ms?: number): Promise<void> {
    const response = await call("PUT", name, { body, ms });
    if (response.status !== 200) throw failureOf(response);
  }

  const get = async (name: string, ms?: number) => blobIn(await call("GET", name, { ms }));

  return {
    identity: async () => `s3:${options.bucket}`,
    put: (name, blob) => put(name, blob),
    async create(name, body) {
      const response = await call("PUT", name, { body, headers: { "If-None-Match": "*" } });
      if (response.status === 200) return true;
      // The blob exists, or another process is creating it.
      if (response.status === 412 || response.status === 409) return false;
      if (response.status !== 501) throw failureOf(response);
      // A store without conditional writes: an equal blob may replace the other one.
      await put(name, body);
      return true;
    },
    get: (name) => get(name),
    async addressOf(name) {
      const url = `${base}${checkedName(name)}?X-Amz-Expires=${addressSeconds}`;
      const signed = await client.sign(url, { method: "GET", aws: { signQuery: true } });
      return { url: signed.url, authorities: furtherAuthorities() };
    },
    async delete(name) {
      const response = await call("DELETE", name, {});
      if (response.status !== 204 && response.status !== 200 && !isMissing(response)) {
        throw failureOf(response);
      }
    },
    // The only call that needs the right to list the bucket.
    async *list() {
      for (let token: string | undefined, more = true; more; more = token !== undefined) {
        const query = new URLSearchParams({
          "list-type": "2",
          ...(token && { "continuation-token": token }),
        });
        const response = await request("GET", `${base}?${query}`, {});
        if (response.status !== 200) throw failureOf(response);
        const page = response.body.toString();
        for (const [, name = ""] of page.matchAll(/<Key>([^<]*)<\/Key>/g)) yield name;
        token = /<NextContinuationToken>([^<]*)<\/NextContinuationToken>/.exec(page)?.[1];
      }
    },
    // These calls need only the rights that blobs need. A look at the bucket would need further rights.
    checkWrite: () => put(probe, Buffer.from(probe), Math.min(timeoutMs, checkMs)),
    async checkRead() {
      await get(probe, Math.min(timeoutMs, checkMs));
    },
  };
}

/** Reads an object by its signed URL; null if it does not exist. */
export async function readObject(url: string): Promise<Uint8Array | null> {
  return blobIn(await send(new Request(url), defaultTimeoutMs));
}

async function send(request: Request, ms: number): Promise<S3Response> {
  try {
    const response = await fetch(request, { redirect: "manual", signal: AbortSignal.timeout(ms) });
    return { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
  } catch (error) {
    throw unavailable(isTimeout(error) ? "timeout" : reasonOf(error));
  }
}

/** The certificate authorities that this process trusts besides Node's: those of NODE_EXTRA_CA_CERTS and of the system. */
function furtherAuthorities(): string[] {
  const bundled = new Set(tls.getCACertificates("bundled"));
  return tls.getCACertificates("default").filter((one) => !bundled.has(one));
}

interface CallOptions {
  body?: Uint8Array;
  headers?: Record<string, string>;
  ms?: number | undefined;
}

interface S3Response {
  status: number;
  body: Buffer;
}

function bucketUrl({ endpoint, bucket, pathStyle = false }: S3Options): string {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`) {
    throw new TypeError("The S3 endpoint must be an http or https origin.");
  }
  return pathStyle ? `${url.origin}/${bucket}/` : `${url.protocol}//${bucket}.${url.host}/`;
}

function blobIn(response: S3Response): Buffer | null {
  if (isMissing(response)) return null;
  if (response.status !== 200) throw failureOf(response);
  return response.body;
}

/** A 404 for a missing bucket does not mean that the blob is missing. */
function isMissing(response: S3Response): boolean {
  return response.status === 404 && codeOf(response) === "NoSuchKey";
}

function failureOf(response: S3Response): Failure {
  const code = codeOf(response) ?? `status-${response.status}`;
  const isFull = response.status === 507 || noSpaceCode.test(code);
  return isFull ? new Failure("STORAGE_FULL", { cause: new S3Error(code) }) : unavailable(code);
}

/** The store's error code, such as NoSuchBucket. The rest of the body can contain keys and addresses. */
function codeOf({ body }: S3Response): string | undefined {
  return /<Code>([A-Za-z]{1,64})<\/Code>/.exec(body.toString())?.[1];
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === "TimeoutError";
}

/** The messages of fetch errors contain addresses, so the failure contains only a code. */
function unavailable(code: string): Failure {
  return new Failure("SERVICE_UNAVAILABLE", { retryAfterSeconds: 5, cause: new S3Error(code) });
}
