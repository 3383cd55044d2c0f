import { decryptData, encryptData } from "../encryption/personal-data.ts";

/** An attempt, identified by its lease. */
interface AttemptRef {
  platformId: string;
  deliveryId: string;
  lease: number;
}

/** Encrypts the first bytes of a response under its endpoint's data key, as a response may contain personal data. */
export function encryptExcerpt(excerpt: string, dataKey: Buffer, attempt: AttemptRef): Buffer {
  return encryptData(excerpt, dataKey, rowOf(attempt));
}

/** @throws Failure SERVICE_UNAVAILABLE where it cannot be decrypted. */
export function decryptExcerpt(encrypted: Buffer, dataKey: Buffer, attempt: AttemptRef): string {
  return decryptData<string>(encrypted, dataKey, rowOf(attempt));
}

const rowOf = ({ platformId, deliveryId, lease }: AttemptRef) =>
  ({ platformId, table: "webhook_attempts", rowId: `${deliveryId}/${lease}` }) as const;
