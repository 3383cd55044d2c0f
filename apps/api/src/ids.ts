import { randomUUID } from "node:crypto";
import { TypeID, typeid } from "typeid-js";
import type { Ids } from "./operations/index.ts";

export const ids: Ids = {
  externalUserId: () => TypeID.fromUUID("usr", randomUUID()).toString(),
  kycRecordId: () => typeid("kyc").toString(),
  platformId: () => typeid("plt").toString(),
  keyId: () => typeid("key").toString(),
};

/** `req_…`: names one request in answers and logs. */
export const requestId = (): string => typeid("req").toString();
