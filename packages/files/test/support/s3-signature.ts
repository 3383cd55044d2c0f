import { createHash, createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";

const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest("hex");
const hmac = (key: string | Buffer, data: string) => createHmac("sha256", key).update(data).digest();

/** Whether a request has a valid AWS signature (version 4) for its method, path, headers and body. */
export function isSigned(request: IncomingMessage, body: Buffer, secret: string): boolean {
  const { authorization = "", ...headers } = request.headers;
  const parts = /Credential=[^/]+\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]+)/.exec(
    authorization,
  );
  const [, scope = "", signed = "", signature] = parts ?? [];
  const needed = ["host", "x-amz-content-sha256", "x-amz-date"].every((name) =>
    signed.split(";").includes(name),
  );
  if (!needed || headers["x-amz-content-sha256"] !== sha256(body)) return false;

  const lines = signed.split(";").map((name) => `${name}:${headers[name]}\n`);
  const canonical = [request.method, request.url, "", lines.join(""), signed, sha256(body)].join("\n");
  const text = ["AWS4-HMAC-SHA256", headers["x-amz-date"], scope, sha256(canonical)].join("\n");
  const key = scope
    .split("/")
    .reduce<string | Buffer>((derived, part) => hmac(derived, part), `AWS4${secret}`);
  return hmac(key, text).toString("hex") === signature;
}
