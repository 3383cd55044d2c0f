import { type PersonFacts, role } from "@cardbridge/domain";
import { type SQL, sql } from "drizzle-orm";
import { shownMoment } from "../database/schema/columns.ts";
import { persons } from "../database/schema.ts";
import { encryptedName } from "./person-key.ts";

/** The fields of PersonFacts, with the encrypted name. */
export const personFields = {
  ...encryptedName,
  // Omits roles that this version does not define.
  roles: sql`${persons.roles}`.mapWith((roles: string[]) =>
    role.options.filter((known) => roles.includes(known)),
  ),
  firstSeenAt: shownMoment(sql`${persons.firstSeenAt}`),
  lastSeenAt: shownMoment(sql`${persons.lastSeenAt}`),
  blockedAt: shownMoment(sql`${persons.blockedAt}`) as SQL<string | null>,
};

export const examplePerson: PersonFacts = {
  personId: "per_01jexample0000000000000000",
  name: "Ada",
  roles: ["support"],
  firstSeenAt: "2026-01-30T09:00:00.000Z",
  lastSeenAt: "2026-01-31T12:00:00.000Z",
  blockedAt: null,
};
