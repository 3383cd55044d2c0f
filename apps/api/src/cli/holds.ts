import { Option } from "commander";
import type { NounDetails } from "./details.ts";
import { parseExpiry } from "./keys.ts";
import { reportProposed } from "./proposals.ts";

const until = new Option(
  "--until <when>",
  "ends after this many days, at the end of a date (2027-01-31, UTC), or never, the default",
).argParser((text) => parseExpiry(text, new Date()));

export const holds = {
  place: {
    example: "holds place --platform plt_… --user usr_… --reference HKMA-2027/118",
    options: [until],
  },
  list: {
    columns: {
      holds: "holdId externalUserId kycRecordId reference active until placedBy placedAt liftedBy erasure",
    },
  },
  lift: { requires: ["keys"], report: reportProposed },
} satisfies NounDetails<"holds">;
