import { createCipheriv, createDecipheriv } from "node:crypto";
import { ReasonError } from "@cardbridge/domain";
import { unavailable } from "../database/errors.ts";
import { lengthPrefixed } from "./length-prefixed.ts";
import { nextNonce, nonceLength } from "./nonce.ts";

const algorithm = "aes-256-gcm";
/** The version of the layout: this number in one byte, then the nonce, the tag and the ciphertext. */
const format = 1;
const tagLength = 16;
const headLength = 1 + nonceLength + tagLength;

/** Binds a ciphertext to its row and to the version of its key, so it cannot be decrypted anywhere else. */
export interface AssociatedData {
  platformId: string;
  table:
    | "users"
    | "kyc_records"
    | "document_requests"
    | "record_notes"
    | "proposals"
    | "files"
    | "blobs"
    | "webhook_endpoints"
    | "webhook_attempts"
    | "persons";
  rowId: string;
  keyVersion: number;
}

/** Why a value cannot be decrypted. The message is the reason and contains no value. */
export class DecryptionError extends ReasonError {
  constructor(reason: "key-version-unknown" | "not-authentic") {
    super(reason);
    this.name = "DecryptionError";
  }
}

/** Encrypts with AES-256-GCM under a key of 32 bytes. */
export function encrypt(plaintext: Uint8Array, key: Uint8Array, associatedData: AssociatedData): Buffer {
  const nonce = nextNonce();
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagLength });
  cipher.setAAD(encode(associatedData));
  const ciphertext = cipher.update(plaintext);
  cipher.final();
  return Buffer.concat([Buffer.of(format), nonce, cipher.getAuthTag(), ciphertext]);
}

/**
 * Decrypts a value that `encrypt` produced with the same key and the same associated data.
 * @throws Failure SERVICE_UNAVAILABLE with a DecryptionError as its cause.
 */
export function decrypt(encrypted: Uint8Array, key: Uint8Array, associatedData: AssociatedData): Buffer {
  try {
    if (encrypted[0] !== format) throw new DecryptionError("not-authentic");
    const nonce = encrypted.subarray(1, 1 + nonceLength);
    const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagLength });
    decipher.setAAD(encode(associatedData));
    decipher.setAuthTag(encrypted.subarray(1 + nonceLength, headLength));
    const plaintext = decipher.update(encrypted.subarray(headLength));
    decipher.final();
    return plaintext;
  } catch {
    throw unavailable(new DecryptionError("not-authentic"));
  }
}

function encode({ platformId, table, rowId, keyVersion }: AssociatedData): Buffer {
  return lengthPrefixed(String(format), platformId, table, rowId, String(keyVersion));
}
