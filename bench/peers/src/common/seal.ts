import { createCipheriv, createHash, randomBytes } from "node:crypto";

const dataKey = randomBytes(32);

/** SHA-256, as it is stored of keys and of submissions. */
export function hashOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** Personal data as it is stored: AES-256-GCM. */
export function seal(text: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", dataKey, nonce);
  return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
}
