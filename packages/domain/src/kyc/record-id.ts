import * as z from "zod";
import { idPattern } from "../input/id-pattern.ts";

export const kycRecordId = z
  .stringFormat("kyc-record-id", idPattern(64))
  .meta({ description: "The kycRecordId of the submission's response." });
