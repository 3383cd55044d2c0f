import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { filePurpose } from "@cardbridge/domain";
import * as z from "zod";

const uploadToken = z.object({
  platformId: z.string(),
  actor: z.string(),
  purpose: filePurpose,
  /** In Unix seconds. */
  expires: z.int(),
});
export type UploadToken = z.output<typeof uploadToken>;

const algorithm = "aes-256-gcm";
const nonceLength = 12;
const headLength = nonceLength + 16;

/**
 * Encrypts the tokens of upload URLs with AES-256-GCM under a separate key, so that a URL reveals neither the platform
 * nor the key that created it. Every process with the same keys reads them.
 */
export function uploadTokens(secret: Buffer) {
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
