import * as z from "zod";
import { formatHelp } from "../input/formats.ts";
import { knownSubStatuses } from "./status.ts";

formatHelp["card-account-id"] = "1 to 256 visible ASCII characters, no spaces.";
const cardAccountId = z
  .stringFormat("card-account-id", /^[\x21-\x7e]{1,256}$/)
  .nullable()
  .default(null);

/** The provider's decision, as an operator enters it. */
export const manualDecision = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.literal("answered"), subStatus: z.enum(knownSubStatuses), cardAccountId }),
  z.object({ outcome: z.literal("refused") }),
]);
export type ManualDecision = z.output<typeof manualDecision>;
