import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";

/** A new id of 256 random bits, which only the browser's cookie keeps. */
export const newId = (): string => randomBytes(32).toString("base64url");

/** Whether a text can be an id. */
export const isId = (text: string | undefined): text is string =>
  text !== undefined && /^[A-Za-z0-9_-]{43}$/.test(text);

/** SHA-256, the only form of an id that the store has. Random ids need no salt. */
export const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/** What a value is sealed for: a value of one purpose cannot be unsealed as another. */
type Purpose = "session" | "sign-in";

/** Encrypts a value with a key that only the secret gives, such as the id of a session. */
export function seal(secret: string, purpose: Purpose, value: unknown): Buffer {
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", keyOf(secret, purpose), iv);
  const encrypted = Buffer.concat([cipher.update(JSON.stringify(value), "utf8"), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), encrypted]);
}

/** @throws Error if the value was sealed with another secret or for another purpose, or changed. */
export function unseal(secret: string, purpose: Purpose, sealed: Buffer): unknown {
  const key = keyOf(secret, purpose);
  const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, 12), { authTagLength: 16 });
  decipher.setAuthTag(sealed.subarray(12, 28));
  const text = Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString("utf8");
  return JSON.parse(text);
}

function keyOf(secret: string, purpose: Purpose): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", `cardbridge console ${purpose}`, 32));
}
