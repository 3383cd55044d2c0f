import { colleagueList, maxColleagues, rolesWith } from "@cardbridge/domain";
import { and, arrayOverlaps, desc, isNull, sql } from "drizzle-orm";
import * as z from "zod";
import { persons } from "../database/schema.ts";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { examplePerson, personFields } from "./facts.ts";
import { decryptNames, encryptedName } from "./person-key.ts";

const { personId, name, roles } = examplePerson;

/** Lists the persons to whom a record can be handed over. */
export const listColleagues = defineOperation({
  ...forOperators("ops.records.act"),
  reach: "platforms",
  id: "persons.colleagues",
  kind: "read",
  summary: "List the colleagues",
  description:
    "Lists the persons to whom a record can be handed over: who called in the last 90 days, is not blocked, and has a role " +
    "that may act on records, on whatever platforms.",
  input: z.object({}),
  rules: [],
  output: colleagueList,
  example: { input: {}, output: { colleagues: [{ personId, name, roles }] } },
  errors: [],
  audit: [],

  async run({ database, personalDataKeys }) {
    const { ring } = await personalDataKeys();
    const rows = await database.withoutPlatform((tx) =>
      tx
        .select({ ...encryptedName, roles: personFields.roles })
        .from(persons)
        .where(
          and(
            isNull(persons.blockedAt),
            sql`${persons.lastSeenAt} > now() - interval '90 days'`,
            arrayOverlaps(persons.roles, rolesWith(["ops.records.act"])),
          ),
        )
        .orderBy(desc(persons.lastSeenAt), persons.id)
        .limit(maxColleagues),
    );
    const byName = (one: string | null, other: string | null) =>
      (one ?? "~").localeCompare(other ?? "~", "en");
    const colleagues = decryptNames(rows, ring).toSorted((one, other) => byName(one.name, other.name));
    return { data: { colleagues } };
  },
});
