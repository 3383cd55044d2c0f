import { sealData, unsealData } from "../sealing/personal-data.ts";

/** An attempt by its lease. */
interface AttemptRef {
  platformId: string;
  deliveryId: string;
  lease: number;
}

/** Encrypts the first bytes of an answer under its endpoint's data key: nobody knows what an answer contains. */
export function sealExcerpt(excerpt: string, dataKey: Buffer, attempt: AttemptRef): Buffer {
  return sealData(excerpt, dataKey, rowOf(attempt));
}

/** @throws Failure SERVICE_UNAVAILABLE where it cannot be decrypted. */
export function unsealExcerpt(sealed: Buffer, dataKey: Buffer, attempt: AttemptRef): string {
  return unsealData<string>(sealed, dataKey, rowOf(attempt));
}

const rowOf = ({ platformId, deliveryId, lease }: AttemptRef) =>
  ({ platformId, table: "webhook_attempts", rowId: `${deliveryId}/${lease}` }) as const;
