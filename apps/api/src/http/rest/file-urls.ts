import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";
import { type FileUrls, fileId, filePurpose } from "@cardbridge/domain";
import * as z from "zod";
import { filesPath } from "../../config/paths.ts";

/** The lifetime of a signed URL. Providers fetch files soon after the submission. */
const signedSeconds = 3_600;
/** The lifetime of an upload URL, which accepts one file. */
const uploadSeconds = 600;

export interface SignedUrls extends FileUrls {
  /** Whether a signature is valid for a file now. */
  opens(fileId: string, expires: string | undefined, signature: string | undefined): boolean;
  /** The creator and the purpose of an upload URL, by its token; undefined if it is invalid or expired. */
  readToken(token: string): Omit<UploadToken, "expires"> | undefined;
}

/**
 * Creates file URLs and their signatures: HMAC-SHA256 over the file id and the expiry in Unix seconds. Every process
 * with the same keys accepts them.
 */
export function createFileUrls(publicUrl: string, key: Buffer, now = Date.now): SignedUrls {
  const own = new URL(publicUrl);
  const path = own.pathname.replace(/\/$/, "") + filesPath;
  const base = own.origin + path;
  const sign = (...parts: string[]) => createHmac("sha256", key).update(parts.join("\n")).digest("base64url");
  const isSignatureOf = (signature: string, ...parts: string[]) => {
    const [actual, expected] = [Buffer.from(signature), Buffer.from(sign(...parts))];
    return actual.length === expected.length && timingSafeEqual(actual, expected);
  };
  const tokens = uploadTokens(key);
  const seconds = () => Math.floor(now() / 1_000);
  const urlOf = (id: string) => `${base}/${id}`;

  function fileIdOf(text: string): string | null | undefined {
    const url = normalized(text);
    if (url.host !== own.host) return undefined;
    const { data } = fileId.safeParse(url.pathname.slice(path.length + 1));
    return data !== undefined && url.href === urlOf(data) ? data : null;
  }

  return {
    urlOf,
    fileIdOf,
    signed(url) {
      const id = fileIdOf(url);
      if (!id) return url;
      const expires = String(seconds() + signedSeconds);
      return `${urlOf(id)}?expires=${expires}&signature=${sign("open", id, expires)}`;
    },
    opens(id, expires = "", signature = "") {
      return Number(expires) > seconds() && isSignatureOf(signature, "open", id, expires);
    },
    uploadUrl(upload) {
      const expires = seconds() + uploadSeconds;
      const url = `${base}/uploads/${tokens.write({ ...upload, expires })}`;
      return { url, expiresAt: new Date(expires * 1_000) };
    },
    readToken(token) {
      const read = tokens.read(token);
      if (!read || read.expires <= seconds()) return undefined;
      const { expires: _, ...upload } = read;
      return upload;
    },
  };
}

/**
 * Normalizes a URL to the spelling of `urlOf`. The parser normalizes the host's case, the default port and dot
 * segments. This function removes a root dot after the host, and the percent-encoding of characters that need none.
 */
function normalized(text: string): URL {
  const url = new URL(text);
  url.hostname = url.hostname.replace(/\.$/, "");
  url.pathname = url.pathname.replace(/%[2-7][0-9A-Fa-f]/g, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
    return /[A-Za-z0-9._~-]/.test(character) ? character : encoded;
  });
  return url;
}

const uploadToken = z.object({
  platformId: z.string(),
  actor: z.string(),
  purpose: filePurpose,
  /** In Unix seconds. */
  expires: z.int(),
});
type UploadToken = z.output<typeof uploadToken>;

const algorithm = "aes-256-gcm";
const nonceLength = 12;
const headLength = nonceLength + 16;

/**
 * Encrypts the tokens of upload URLs with AES-256-GCM under a separate key, so that a URL reveals neither the platform
 * nor the key that created it. Every process with the same keys reads them.
 */
function uploadTokens(secret: Buffer) {
  const key = Buffer.from(hkdfSync("sha256", secret, "", "upload-token", 32));
  return {
    write(token: UploadToken): string {
      const nonce = randomBytes(nonceLength);
      const cipher = createCipheriv(algorithm, key, nonce);
      const text = [cipher.update(JSON.stringify(token)), cipher.final()];
      return Buffer.concat([nonce, cipher.getAuthTag(), ...text]).toString("base64url");
    },
    /** Undefined unless `write` created exactly this text. */
    read(text: string): UploadToken | undefined {
      const bytes = Buffer.from(text, "base64url");
      if (bytes.length < headLength || bytes.toString("base64url") !== text) return undefined;
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceLength), {
        authTagLength: 16,
      });
      decipher.setAuthTag(bytes.subarray(nonceLength, headLength));
      try {
        const decrypted = Buffer.concat([decipher.update(bytes.subarray(headLength)), decipher.final()]);
        return uploadToken.parse(JSON.parse(decrypted.toString()));
      } catch {
        return undefined;
      }
    },
  };
}
