import { randomBytes, randomUUID } from "node:crypto";
import type { Ids } from "@cardbridge/operations";
import { TypeID, typeid } from "typeid-js";

export const ids: Ids = {
  externalUserId: () => TypeID.fromUUID("usr", randomUUID()).toString(),
  kycRecordId: () => typeid("kyc").toString(),
  platformId: () => typeid("plt").toString(),
  keyId: () => typeid("key").toString(),
  fileId: () => typeid("file").toString(),
  webhookEndpointId: () => typeid("whe").toString(),
  blobName: () => randomBytes(20).toString("hex"),
};
