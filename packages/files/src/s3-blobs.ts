import { createHash } from "node:crypto";
import { type Blobs, Failure } from "@cardbridge/domain";
import { AwsClient } from "aws4fetch";
import { checkedName } from "./blob-name.ts";

export interface S3Options {
  /** Such as `https://s3.eu-central-1.amazonaws.com`; without the bucket. */
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** The bucket stands in the path instead of in front of the host. */
  pathStyle?: boolean;
  /** For one call, its body included. */
  timeoutMs?: number;
}

/** How a store says that it has no room: S3 has no word of its own for that. */
const full = /<Code>[A-Za-z]*(?:StorageFull|InsufficientStorage|QuotaExceeded)<\/Code>/;

/**
 * Keeps blobs as objects of an S3 bucket, each put with its SHA-256, which the store verifies.
 * @throws TypeError for an endpoint that is no http(s) origin; never quotes it.
 */
export function s3Blobs(options: S3Options): Blobs {
  const { accessKeyId, secretAccessKey, region, timeoutMs = 30_000 } = options;
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: "s3" });
  const base = bucketUrl(options);

  async function call(method: "PUT" | "GET" | "DELETE", name: string, body?: Uint8Array): Promise<Answer> {
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
      const answer = await call("PUT", name, blob);
      if (answer.status !== 200) throw failureOf(answer);
    },
    async get(name) {
      const answer = await call("GET", name);
      if (isMissing(answer)) return null;
      if (answer.status !== 200) throw failureOf(answer);
      return answer.body;
    },
    async delete(name) {
      const answer = await call("DELETE", name);
      if (answer.status !== 204 && answer.status !== 200 && !isMissing(answer)) throw failureOf(answer);
    },
  };
}

interface Answer {
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

/** A missing bucket is a 404 too, and no reason to take a blob for lost. */
function isMissing({ status, body }: Answer): boolean {
  return status === 404 && body.includes("<Code>NoSuchKey</Code>");
}

function failureOf({ status, body }: Answer): Failure {
  if (status === 507 || full.test(body.toString())) return new Failure("STORAGE_FULL");
  return unavailable(`status ${status}`);
}

/** Errors of fetch name addresses: only their kind is told. */
function unavailable(kind: string): Failure {
  return new Failure("SERVICE_UNAVAILABLE", {
    retryAfterSeconds: 5,
    cause: new Error(`The blob store failed: ${kind}.`),
  });
}
