import { kycReasonCodes, personMessages } from "@cardbridge/domain";
import { code, tableOf } from "./rows.ts";

/** A row of each reason of a refusal or a rejection, with a sentence for the person. */
export const kycReasons = () =>
  tableOf(
    ["Code", "What to tell the user"],
    kycReasonCodes.map((reason) => [code(reason), personMessages[reason]]),
  );
