import {
  type CurrentPerson,
  currentPerson,
  Failure,
  isOperatorScope,
  maxSignInAgeSeconds,
  type PersonPlatforms,
} from "@cardbridge/domain";
import { sql } from "drizzle-orm";
import * as z from "zod";
import type { Database } from "../database/database.ts";
import { forOperators } from "../operation/actors.ts";
import { defineOperation } from "../operation/define.ts";
import { examplePerson } from "./facts.ts";
import { readNames } from "./names.ts";

/** The number of platforms that the operation names at most. */
const maxPlatforms = 200;

const { personId, name, roles } = examplePerson;

/** Shows the person of the call. */
export const showCurrentPerson = defineOperation({
  ...forOperators("ops.records.read", "ops.users.read", "ops.platforms", "ops.keys", "ops.audit"),
  // The command line has no person.
  actors: ["internal"],
  reach: "platforms",
  id: "persons.me",
  kind: "read",
  summary: "Show the current person",
  description: "Shows the person of the call, and what the key and the person's roles allow together.",
  input: z.object({}),
  rules: [],
  output: currentPerson,
  example: {
    input: {},
    output: {
      personId,
      name,
      roles,
      scopes: ["ops.records.read", "ops.records.act", "ops.users.read"],
      platforms: [{ platformId: "plt_01jexample0000000000000000", name: "Example Ltd" }],
      allPlatforms: false,
      signInRequiredAt: "2026-01-31T12:15:00.000Z",
      expiresAt: "2026-01-31T13:00:00.000Z",
    },
  },
  errors: ["PERSON_REQUIRED"],
  audit: [],

  async run(ports, { person, scopes }) {
    if (!person) throw new Failure("PERSON_REQUIRED");
    const { personId, roles, platforms, authenticatedAt, expiresAt } = person;
    const [named] = await readNames(ports, [personId]);
    const recentUntil = (authenticatedAt?.getTime() ?? 0) + maxSignInAgeSeconds * 1_000;
    return {
      data: {
        personId,
        name: named?.name ?? null,
        roles: [...roles],
        scopes: [...scopes].filter(isOperatorScope),
        platforms: await namePlatforms(ports.database, platforms),
        allPlatforms: platforms === "all",
        signInRequiredAt: recentUntil > Date.now() ? new Date(recentUntil).toISOString() : null,
        expiresAt: expiresAt.toISOString(),
      },
    };
  },
});

/** These platforms with their names, or all platforms. */
function namePlatforms(database: Database, platforms: PersonPlatforms): Promise<CurrentPerson["platforms"]> {
  const only = platforms === "all" ? null : [...platforms];
  return database.withoutPlatform(async (tx) => {
    const { rows } = await tx.execute<{ id: string; name: string }>(
      sql`select id, name from name_platforms(${sql.param(only)}::text[], ${maxPlatforms})`,
    );
    return rows.map(({ id, name }) => ({ platformId: id, name }));
  });
}
