import { createHmac, timingSafeEqual } from "node:crypto";
import { type FileUrls, filePurpose } from "@cardbridge/domain";
import * as z from "zod";

/** For so long a signed URL opens a file: providers fetch when a submission comes, or soon after. */
const signedSeconds = 3_600;
/** For so long an upload address takes files. */
const uploadSeconds = 600;

export const filesPath = "/files";

const order = z.object({
  platformId: z.string(),
  actor: z.string(),
  purpose: filePurpose,
  expires: z.int(),
});

/** Whose upload an address takes, and of what. */
type CreateUploadUrlInput = Omit<z.output<typeof order>, "expires">;

export interface SignedUrls extends FileUrls {
  /** Whether a signature opens a file now. */
  opens(fileId: string, expires: string | undefined, signature: string | undefined): boolean;
  /** What an upload address was made for; undefined where it is none of ours, or over. */
  readToken(token: string): CreateUploadUrlInput | undefined;
}

/**
 * The addresses of files under our own address, and their signatures: HMAC-SHA256 over what is opened and until when,
 * in seconds since 1970. Any process with the same keys may check what another one signed.
 */
export function createFileUrls(publicUrl: string, key: Buffer, now = Date.now): SignedUrls {
  const own = new URL(publicUrl);
  const path = own.pathname.replace(/\/$/, "") + filesPath;
  const base = own.origin + path;
  const sign = (...parts: string[]) => createHmac("sha256", key).update(parts.join("\n")).digest("base64url");
  const isOf = (signature: string, ...parts: string[]) => {
    const [given, right] = [Buffer.from(signature), Buffer.from(sign(...parts))];
    return given.length === right.length && timingSafeEqual(given, right);
  };
  const seconds = () => Math.floor(now() / 1_000);
  const urlOf = (fileId: string) => `${base}/${fileId}`;

  function fileIdOf(text: string): string | null | undefined {
    const url = new URL(text);
    if (url.host !== own.host) return undefined;
    const fileId = /^\/(file_[0-9a-z]{26})$/.exec(url.pathname.slice(path.length))?.[1];
    return fileId !== undefined && url.href === urlOf(fileId) ? fileId : null;
  }

  return {
    urlOf,
    fileIdOf,
    signed(url) {
      const fileId = fileIdOf(url);
      if (!fileId) return url;
      const expires = String(seconds() + signedSeconds);
      return `${urlOf(fileId)}?expires=${expires}&signature=${sign("open", fileId, expires)}`;
    },
    opens(fileId, expires = "", signature = "") {
      return Number(expires) > seconds() && isOf(signature, "open", fileId, expires);
    },
    uploadUrl(upload) {
      const expires = seconds() + uploadSeconds;
      const text = Buffer.from(JSON.stringify({ ...upload, expires })).toString("base64url");
      const url = `${base}/uploads/${text}.${sign("upload", text)}`;
      return { url, expiresAt: new Date(expires * 1_000) };
    },
    readToken(token) {
      const [text = "", signature = ""] = token.split(".");
      if (!isOf(signature, "upload", text)) return undefined;
      const { expires, ...upload } = order.parse(JSON.parse(Buffer.from(text, "base64url").toString()));
      return expires > seconds() ? upload : undefined;
    },
  };
}
