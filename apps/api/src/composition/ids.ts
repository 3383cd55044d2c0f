import { randomBytes, randomUUID } from "node:crypto";
import { TypeID, typeid } from "typeid-js";
import type { Ids } from "./operations/index.ts";

export const ids: Ids = {
  externalUserId: () => TypeID.fromUUID("usr", randomUUID()).toString(),
  kycRecordId: () => typeid("kyc").toString(),
  platformId: () => typeid("plt").toString(),
  keyId: () => typeid("key").toString(),
  fileId: () => typeid("file").toString(),
  blobName: () => randomBytes(20).toString("hex"),
};

/** `req_…`: names one request in answers and logs. Nothing is ordered by it, so it is random alone. */
export const requestId = (): string => `req_${randomUUID().replaceAll("-", "").slice(-26)}`;
