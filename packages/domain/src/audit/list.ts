import * as z from "zod";
import { namedPerson } from "../identity/named-person.ts";
import { personId } from "../identity/person-id.ts";
import { moment, searchedMoment, searchedText } from "../input/formats.ts";
import { listLimit } from "../input/pagination.ts";
import { searchCursor } from "../input/search-cursor.ts";
import { keyId } from "../keys/key.ts";
import { platformIds } from "../platforms/inputs.ts";
import { platformId } from "../platforms/platform.ts";
import { auditEntry } from "./entry.ts";

/** The filters of a list of audit entries. Absent filters match every entry. `platformId` is one platform of `platformIds`. */
export const auditListQuery = z.object({
  platformId: platformId.optional(),
  platformIds,
  personId: personId.optional(),
  keyId: keyId.optional(),
  operation: searchedText(64).optional().meta({ description: "An operation, such as records.submission." }),
  subject: searchedText(80).optional().meta({ description: "The id of a record, a user, a file or a key." }),
  outcome: searchedText(64).optional().meta({ description: "done, replayed, or the code of an error." }),
  after: searchedMoment.optional(),
  before: searchedMoment.optional(),
  limit: listLimit(50),
  cursor: searchCursor.optional(),
});
export type AuditListQuery = z.output<typeof auditListQuery>;

/** An entry with its platform, and the person's name. */
const foundAuditEntry = auditEntry
  .extend({ platformId: z.string(), by: namedPerson.nullable() })
  .meta({ id: "FoundAuditEntry" });

export const auditPage = z
  .object({
    entries: z.array(foundAuditEntry).meta({ description: "Newest first." }),
    nextCursor: searchCursor.nullable().meta({ description: "Null after the last page." }),
    narrow: z.boolean().meta({
      description:
        "Whether the search stopped after 50,000 entries before the page was full. Narrow it, or continue.",
    }),
    reachesTo: moment
      .nullable()
      .meta({ description: "The page is complete back to this time; null if it read no entry." }),
    since: moment.nullable().meta({
      description:
        "Entries of these platforms before this time were exported and dropped; null if none were.",
    }),
  })
  .meta({ id: "AuditPage" });
