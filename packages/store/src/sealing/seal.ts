import { createCipheriv, createDecipheriv } from "node:crypto";
import { unavailable } from "../failures.ts";
import { framed } from "./framed.ts";
import { nextNonce, nonceLength } from "./nonce.ts";

const algorithm = "aes-256-gcm";
/** Of the layout below: the format's number, the nonce, the tag, and then what is hidden. */
const format = 1;
const tagLength = 16;
const headLength = 1 + nonceLength + tagLength;

/** Where a sealed value is at home, and the version of the key that it is under: it opens nowhere else. */
export interface Home {
  platformId: string;
  table: "users" | "kyc_records" | "files" | "blobs";
  rowId: string;
  keyVersion: number;
}

/** Why something could not be opened, in a word and without a value. */
export class CannotOpen extends Error {
  constructor(reason: "key-version-unknown" | "not-authentic") {
    super(reason);
    this.name = "CannotOpen";
  }
}

/** AES-256-GCM under a key of 32 bytes, bound to its home. */
export function seal(plain: Uint8Array, key: Uint8Array, home: Home): Buffer {
  const nonce = nextNonce();
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagLength });
  cipher.setAAD(associatedData(home));
  const hidden = cipher.update(plain);
  cipher.final();
  return Buffer.concat([Buffer.of(format), nonce, cipher.getAuthTag(), hidden]);
}

/**
 * What was sealed, when key and home are the ones that it was sealed with.
 * @throws Failure SERVICE_UNAVAILABLE because of CannotOpen.
 */
export function open(sealed: Buffer, key: Uint8Array, home: Home): Buffer {
  try {
    if (sealed[0] !== format) throw new CannotOpen("not-authentic");
    const nonce = sealed.subarray(1, 1 + nonceLength);
    const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagLength });
    decipher.setAAD(associatedData(home));
    decipher.setAuthTag(sealed.subarray(1 + nonceLength, headLength));
    return Buffer.concat([decipher.update(sealed.subarray(headLength)), decipher.final()]);
  } catch {
    throw unavailable(new CannotOpen("not-authentic"));
  }
}

function associatedData({ platformId, table, rowId, keyVersion }: Home): Buffer {
  return framed(String(format), platformId, table, rowId, String(keyVersion));
}
