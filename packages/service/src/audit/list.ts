import { auditListQuery, auditPage, internalPlatformId, type PersonPlatforms } from "@cardbridge/domain";
import { forOperators } from "../operation/actors.ts";
import { type Call, platformsOf } from "../operation/call.ts";
import { defineOperation } from "../operation/define.ts";
import { namedPlatforms, platformIdsOf } from "../operation/reach.ts";
import { exampleEntry } from "./example.ts";

/** Lists the audit of the platforms that the caller may access. */
export const listAudit = defineOperation({
  ...forOperators("ops.audit"),
  reach: "platforms",
  id: "audit.list",
  kind: "read",
  summary: "List audit entries",
  description:
    "Lists the audit entries of a platform, or of all that the caller may access, newest first, and says how far back it " +
    "reached. A page reads at most 50,000 entries; then `narrow` is true. Entries about keys, persons and platforms are " +
    "under the platform `internal`, which only callers with access to all platforms read.",
  input: auditListQuery,
  rules: [],
  output: auditPage,
  example: {
    input: { subject: exampleEntry.subject },
    output: {
      entries: [{ ...exampleEntry, platformId: "plt_01jexample0000000000000000", by: null }],
      nextCursor: null,
      narrow: false,
      reachesTo: exampleEntry.at,
      since: null,
    },
  },
  errors: ["PLATFORM_NOT_FOUND"],
  audit: [],

  async run({ audit }, call, query) {
    const platforms = readable(call, namedPlatforms(call, platformIdsOf(query)));
    return { data: await audit.list(platforms, query) };
  },
});

/** A person's token may list `internal`, but its entries are about all platforms. */
function readable(call: Call, platforms: PersonPlatforms): PersonPlatforms {
  if (platforms === "all" || platformsOf(call) === "all") return platforms;
  return platforms.filter((platformId) => platformId !== internalPlatformId);
}
