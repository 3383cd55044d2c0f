import { createHash } from "node:crypto";
import { type Blobs, Failure } from "@cardbridge/domain";
import { AwsClient } from "aws4fetch";
import { checkedName } from "./blob-name.ts";

export interface S3Options {
  /** The URL without the bucket, such as `https://s3.eu-central-1.amazonaws.com`. */
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Whether the bucket is part of the path instead of the host. */
  pathStyle?: boolean;
  /** The time limit of one call including its body. Default: 30 000. */
  timeoutMs?: number;
}

/** The error codes of stores without free space. S3 itself defines none. */
const noSpaceCode = /<Code>[A-Za-z]*(?:StorageFull|InsufficientStorage|QuotaExceeded)<\/Code>/;

/**
 * Stores blobs as objects of an S3 bucket. Each put contains the SHA-256 of the blob, which the store verifies.
 * @throws TypeError for an endpoint that is not an http(s) origin. The message never quotes it.
 */
export function createS3Blobs(options: S3Options): Blobs {
  const { accessKeyId, secretAccessKey, region, timeoutMs = 30_000 } = options;
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: "s3" });
  const base = bucketUrl(options);

  async function call(
    method: "PUT" | "GET" | "DELETE",
    name: string,
    body?: Uint8Array,
  ): Promise<S3Response> {
    const url = base + checkedName(name);
    try {
      const headers = {
        "X-Amz-Content-Sha256": createHash("sha256")
          .update(body ?? "")
          .digest("hex"),
      };
      const request = await client.sign(url, { method, headers, ...(body && { body: Buffer.from(body) }) });
      const response = await fetch(request, { redirect: "manual", signal: AbortSignal.timeout(timeoutMs) });
      return { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
    } catch (error) {
      throw unavailable(error instanceof Error ? error.name : "Error");
    }
  }

  return {
    async put(name, blob) {
      const response = await call("PUT", name, blob);
      if (response.status !== 200) throw failureOf(response);
    },
    async get(name) {
      const response = await call("GET", name);
      if (isMissing(response)) return null;
      if (response.status !== 200) throw failureOf(response);
      return response.body;
    },
    async delete(name) {
      const response = await call("DELETE", name);
      if (response.status !== 204 && response.status !== 200 && !isMissing(response)) {
        throw failureOf(response);
      }
    },
  };
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

/** A 404 for a missing bucket does not mean that the blob is missing. */
function isMissing({ status, body }: S3Response): boolean {
  return status === 404 && body.includes("<Code>NoSuchKey</Code>");
}

function failureOf({ status, body }: S3Response): Failure {
  if (status === 507 || noSpaceCode.test(body.toString())) return new Failure("STORAGE_FULL");
  return unavailable(`status ${status}`);
}

/** The messages of fetch errors contain addresses, so the failure contains only the error's name. */
function unavailable(kind: string): Failure {
  return new Failure("SERVICE_UNAVAILABLE", {
    retryAfterSeconds: 5,
    cause: new Error(`The blob store failed: ${kind}.`),
  });
}
