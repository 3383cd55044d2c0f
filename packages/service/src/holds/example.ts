import type { LegalHold } from "@cardbridge/domain";
import { exampleUser } from "../users/example.ts";

export const exampleHold: LegalHold = {
  holdId: "hold_01jexample0000000000000000",
  externalUserId: exampleUser.externalUserId,
  kycRecordId: null,
  reference: "HKMA-2027/118",
  active: true,
  until: null,
  placedBy: "claim:ada",
  placedAt: "2027-01-31T12:00:00.000Z",
  liftedBy: null,
  liftedAt: null,
  erasure: "none",
};
