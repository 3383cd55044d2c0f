import { createHash, createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";

const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest("hex");
const hmac = (key: string | Buffer, data: string) => createHmac("sha256", key).update(data).digest();

/** Whether a GET has a valid AWS signature (version 4) in its URL, which then needs no header. */
export function isSignedUrl({ url = "", headers }: IncomingMessage, secret: string): boolean {
  const { pathname, searchParams } = new URL(url, `http://${headers.host}`);
  const value = (name: string) => searchParams.get(`X-Amz-${name}`) ?? "";
  const [scope, signature] = [value("Credential").replace(/^[^/]*\//, ""), value("Signature")];
  if (value("SignedHeaders") !== "host" || headers.authorization !== undefined) return false;
  searchParams.delete("X-Amz-Signature");
  searchParams.sort();
  const query = [...searchParams].map((pair) => pair.map(encodeURIComponent).join("=")).join("&");
  const canonical = ["GET", pathname, query, `host:${headers.host}\n`, "host", "UNSIGNED-PAYLOAD"].join("\n");
  return sign(scope, value("Date"), canonical, secret) === signature;
}

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
  return sign(scope, String(headers["x-amz-date"]), canonical, secret) === signature;
}

function sign(scope: string, date: string, canonical: string, secret: string): string {
  const text = ["AWS4-HMAC-SHA256", date, scope, sha256(canonical)].join("\n");
  const key = scope
    .split("/")
    .reduce<string | Buffer>((derived, part) => hmac(derived, part), `AWS4${secret}`);
  return hmac(key, text).toString("hex");
}
